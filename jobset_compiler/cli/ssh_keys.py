"""SSH keys for the Secret of MPI jobs: from a file, or made on request. Nothing is made unless somebody asks."""

from __future__ import annotations

from jobset_compiler.cli.arguments import UsageError
from jobset_compiler.resolve.facts import SSHKeys


def read_keys(file: str) -> SSHKeys:
    """The private key of a file and the public one of FILE.pub. Raises UsageError."""
    private = _read(file)
    if "PRIVATE KEY-----" not in private:
        raise UsageError(f"{file} holds no private key: it should begin with -----BEGIN ... PRIVATE KEY-----")
    public = _read(f"{file}.pub")
    if "PRIVATE KEY" in public or len(public.split()) < 2:
        raise UsageError(f"{file}.pub holds no public key: it should be one line such as ecdsa-sha2-nistp521 AAAA...; make it with ssh-keygen -y -f {file}")
    return SSHKeys(private, public)


def _read(file: str) -> str:
    try:
        with open(file, encoding="ascii") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {getattr(error, 'strerror', None) or 'not a key in text form'}") from None


def generate_keys() -> SSHKeys:
    """A new key pair of the kind that the controller makes: ECDSA P-521, PEM. Raises UsageError without the package for it."""
    try:
        from cryptography.hazmat.primitives import serialization  # type: ignore[import-not-found, unused-ignore]
        from cryptography.hazmat.primitives.asymmetric import ec  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise UsageError("--generate-ssh-keys needs the package cryptography: pip install 'jobset-compiler[ssh]'") from None
    key = ec.generate_private_key(ec.SECP521R1())
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
    public = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    return SSHKeys(private.decode("ascii"), public.decode("ascii") + "\n")
