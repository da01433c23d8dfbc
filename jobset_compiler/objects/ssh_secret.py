"""The Secret with the SSH key pair by which mpirun reaches the nodes.

Source: buildSSHAuthSecret in pkg/runtime/framework/plugins/mpi/mpi.go. The controller makes a random ECDSA P-521 key; a
pure function cannot, so the key comes from the facts or a placeholder says that it is none.
"""

from __future__ import annotations

from binascii import b2a_base64
from typing import TYPE_CHECKING, Any

from jobset_compiler.objects.owner import metadata
from jobset_compiler.passes.mpi import PRIVATE_KEY, PUBLIC_KEY, secret_name

if TYPE_CHECKING:
    from jobset_compiler.resolve.plan import Plan

PRIVATE_PLACEHOLDER = "PLACEHOLDER, not a key: the Trainer controller generates the SSH private key of this TrainJob\n"
PUBLIC_PLACEHOLDER = "PLACEHOLDER, not a key: the Trainer controller generates the SSH public key of this TrainJob\n"


def encoded(text: str) -> str:
    """Text as the data of a Secret holds it."""
    return b2a_base64(text.encode(), newline=False).decode("ascii")


def build(plan: Plan) -> dict[str, Any]:
    keys = plan.facts.ssh_keys
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": metadata(plan, secret_name(plan)),
        "immutable": True,
        "data": {
            PRIVATE_KEY: encoded(keys.private if keys else PRIVATE_PLACEHOLDER),
            PUBLIC_KEY: encoded(keys.public if keys else PUBLIC_PLACEHOLDER),
        },
        "type": "kubernetes.io/ssh-auth",
    }
