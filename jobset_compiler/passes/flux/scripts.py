"""The scripts that start Flux in a pod, as templates: `@NAME@` stands for a value that config.py fills in.

Written for this package: they do what the controller's own templates do (pkg/runtime/framework/plugins/flux/templates),
with the same values, paths and files, in other words. Both run in bash, whatever their first line says.
"""

from __future__ import annotations

INIT = """\
#!/bin/bash
# Puts Flux and its configuration into the volume at /mnt/flux, for the container that runs the work.

fluxroot=@FLUX_ROOT@
mainHost=@MAIN_HOST@
shared=/mnt/flux
installed="${shared}/config"
hosts="@HOSTS@"

export fluxroot
export PATH="/opt/view/bin:${PATH}"
echo "Preparing Flux in $(hostname): view ${fluxroot}, first host ${mainHost}"

mkdir -p "${fluxroot}/bin" "${shared}/view" \\
    "${installed}/etc/flux/config" "${installed}/etc/flux/system/cron.d" "${installed}/etc/curve" \\
    "${installed}/run/flux" "${installed}/var/lib/flux"

# The entrypoint makes the resource description from this list.
echo "${hosts}" > "${installed}/etc/flux/system/hostlist"

cat > "${installed}/etc/flux/config/broker.toml" <<EOT
@BROKER@
EOT
cat "${installed}/etc/flux/config/broker.toml"

# /opt/view is a link to the one folder in here. Its files point into /opt/software, so that is needed as well.
cp -R "/opt/views/._view/$(ls /opt/views/._view/)"/* "${shared}/view"
cp -R /opt/software "${shared}/"

touch "${shared}/flux-operator-done.txt"
echo "Flux is in place."
"""

BROKER = """\
[access]
allow-guest-user = true
allow-root-owner = true

[resource]
path = "/mnt/flux/config/etc/flux/system/R"

[bootstrap]
curve_cert = "/mnt/flux/config/etc/curve/curve.cert"
default_port = 8050
default_bind = "@BIND@"
default_connect = "@CONNECT@"
hosts = [{ host="@HOSTS@" }]

[archive]
dbpath = "/mnt/flux/config/var/lib/flux/job-archive.sqlite"
period = "1m"
busytimeout = "50s"

[sched-fluxion-qmanager]
queue-policy = "@QUEUE_POLICY@"
"""

ENTRYPOINT = """\
#!/bin/bash
# Starts this pod's Flux broker; the first host also runs the command that is given as arguments.

shared=/mnt/flux
view="${shared}/view"
installed="${shared}/config"
settings="${installed}/etc/flux/config"
system="${installed}/etc/flux/system"
command="$*"

# What the image brings itself comes first.
export PATH="${PATH}:${view}/bin"
cp -R "${shared}"/software/* /opt/software/

# Flux needs the Python of its view.
libraries=$(find "${view}" -maxdepth 2 -type d -path "${view}/lib/python3*" 2> /dev/null)
python="${view}/bin/$(basename "${libraries}")"
if [ -f "${python}" ]; then
    rm -rf "${view}/bin/python3" "${view}/bin/python"
    ln -sfn "${python}" "${view}/lib/python" || true
    ln -sfn "${python}" "${view}/lib/python3" || true
fi
export PYTHONPATH="${PYTHONPATH:-}:${libraries}/site-packages"
export FLUX_RC_EXTRA="${view}/etc/flux/rc1.d"

# Two files for people who work in the pod.
printf '%s\\n' \\
    "flux module remove sched-simple" \\
    "flux module load sched-fluxion-resource" \\
    "flux module load sched-fluxion-qmanager" > "${shared}/load-fluxion.sh"
printf '%s\\n' \\
    "#!/bin/bash" \\
    "export PATH=${PATH}" \\
    "export PYTHONPATH=${PYTHONPATH}" \\
    "export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}:${view}/lib" \\
    "export fluxsocket=local://${installed}/run/flux/local" > "${shared}/flux-view.sh"

# The certificate must belong to the user and be readable by nobody else.
certificate="${installed}/etc/curve/curve.cert"
cp /curve/curve.cert "${certificate}"
chmod g-r,o-r "${certificate}"
chown -R "$(id -u)" "${certificate}"

flux R encode --hosts="$(cat "${system}/hostlist")" @RESOURCES@ > "${system}/R"

export STATE_DIR="${installed}/var/lib/flux"
export FLUX_OUTPUT_DIR=/tmp/fluxout
mkdir -p "${STATE_DIR}" "${FLUX_OUTPUT_DIR}" "${system}/cron.d"

options=(
    "-Scron.directory=${system}/cron.d"
    "-Stbon.fanout=256"
    "-Srundir=${installed}/run/flux"
    "-Sstatedir=${STATE_DIR}"
    "-Slocal-uri=local://${installed}/run/flux/local"
    "-Slog-stderr-level=0"
    "-Slog-stderr-mode=local"
)
mainHost="@MAIN_HOST@"
flags="@FLAGS@"

if [ "$(hostname)" = "${mainHost}" ]; then
    if [ -z "${command}" ]; then
        echo "No command: an interactive cluster."
        flux broker --config-path "${settings}" "${options[@]}"
    else
        echo "flux run ${flags} ${command}"
        # Unquoted on purpose: one line of words, as it was given.
        flux start -o --config "${settings}" "${options[@]}" flux run ${flags} ${command}
    fi
else
    # The first host may not be there yet.
    until flux start -o --config "${settings}" "${options[@]}"; do
        echo "The broker ended with $?; trying again in 15 seconds."
        sleep 15
    done
fi

touch "${shared}/flux-operator-complete.txt"
"""


def filled(template: str, **values: str) -> str:
    """A template with its values put in, as they are."""
    for name, value in values.items():
        template = template.replace(f"@{name}@", value)
    return template
