"""Small file systems of our own, which vanish with this process."""

import ctypes
import os
import subprocess

from case import Impossible

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000


def leave_mounts_of_others():
    """From now on, what this process mounts is seen by it and its children only. Whether that is allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0:
        if libc.unshare(CLONE_NEWNS) != 0:
            return False
    else:
        user, group = os.geteuid(), os.getegid()
        if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0:
            return False
        for name, text in (("setgroups", "deny"), ("uid_map", "0 %d 1" % user), ("gid_map", "0 %d 1" % group)):
            with open("/proc/self/" + name, "w") as file:
                file.write(text)
    return subprocess.run(["mount", "--make-rprivate", "/"], stderr=subprocess.DEVNULL).returncode == 0


def mount(*arguments):
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise Impossible("mount %s: %s" % (" ".join(arguments), done.stderr.strip().split("\n")[0]))


class Place:
    """A folder with a file system of its own. A context manager."""

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        self.image = None
        os.makedirs(self.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path], stderr=subprocess.DEVNULL)
        if self.image:
            os.unlink(self.image)

    def with_memory(self, options):
        """Memory, with the options of tmpfs."""
        mount("-t", "tmpfs", "-o", options, "tmpfs", self.path)
        return self

    def with_ext4(self, megabytes):
        """A file in the folder, with ext4 in it."""
        self.image = self.path + ".image"
        with open(self.image, "wb") as file:
            file.truncate(megabytes << 20)
        made = subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", self.image], capture_output=True, text=True)
        if made.returncode:
            raise Impossible("mkfs.ext4: " + made.stderr.strip())
        mount("-o", "loop", self.image, self.path)
        return self

    def break_down(self):
        """What ext4 does by itself after an error of the disk: read-only for everybody at once."""
        mount("-o", "remount,abort", self.path)

    def remount(self, options):
        mount("-o", "remount," + options, self.path)

    def occupy(self, leave=0):
        """Takes all room but so many bytes."""
        with open(os.path.join(self.path, "ballast"), "wb", buffering=0) as file:
            try:
                while file.write(b"\1" * 4096) == 4096:
                    pass
            except OSError:
                pass
            file.truncate(max(file.tell() - leave, 0))

    def make_room(self):
        os.unlink(os.path.join(self.path, "ballast"))
