"""Clients that do exactly what they are told, many at once, on one asyncio loop."""

import asyncio
import itertools
import resource
import socket
import struct

BIND_ADDRESS_NO_PORT = 24  # linux/in.h; the kernel chooses the port when the whole pair is known

# Clients come from many addresses of loopback, so that limits for one address do not stand in the way, nor its ports.
_sources = itertools.cycle("127.0.%d.%d" % (1 + n // 250, 1 + n % 250) for n in range(2000))


def raise_descriptor_limit():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Broken(Exception):
    """The answer did not come whole; `byte_count` is how many bytes of it did."""

    def __init__(self, byte_count, cause):
        super().__init__("%s after %d bytes of an answer" % (cause, byte_count))
        self.byte_count = byte_count


class Answer:
    def __init__(self, head, content):
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0][9:12])
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        self.content = content


class Wire:
    """One connection."""

    def __init__(self, connection):
        self.socket = connection
        self.buffer = bytearray()

    @classmethod
    async def open(cls, address, receive_buffer=None, source=None, patience=20):
        connection = socket.socket()
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_IP, BIND_ADDRESS_NO_PORT, 1)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            connection.bind((source or next(_sources), 0))
            await asyncio.wait_for(asyncio.get_running_loop().sock_connect(connection, address), patience)
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    async def send(self, data):
        await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def receive(self, limit=1 << 16):
        """What came; b'' at the end of the stream."""
        return await asyncio.get_running_loop().sock_recv(self.socket, limit)

    async def answer(self, pace=None):
        """One final answer; interim ones are passed over. `pace` is awaited between pieces of the content."""
        while True:
            while (end := self.buffer.find(b"\r\n\r\n")) < 0:
                await self._fill()
            head = bytes(self.buffer[:end])
            del self.buffer[: end + 4]
            if not head.startswith(b"HTTP/1.1 1"):
                break
        answer = Answer(head, b"")
        count = 0 if answer.status in (204, 304) else int(answer.fields["content-length"])
        while len(self.buffer) < count:
            if pace:
                await pace()
            await self._fill()
        answer.content = bytes(self.buffer[:count])
        del self.buffer[:count]
        return answer

    async def _fill(self):
        try:
            piece = await self.receive()
        except OSError as error:
            raise Broken(len(self.buffer), error) from error
        if not piece:
            raise Broken(len(self.buffer), "the end")
        self.buffer += piece

    async def ends(self, limit):
        """Whether the server ends the connection within `limit` seconds; what it says before that is dropped."""
        try:
            async with asyncio.timeout(limit):
                while await self.receive():
                    pass
                return True
        except TimeoutError:
            return False
        except OSError:
            return True

    def end_sending(self):
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()

    def reset(self):
        """Ends the connection as a client that crashed does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def head(target, *fields, method="GET"):
    lines = ["%s %s HTTP/1.1" % (method, target), "Host: localhost", *fields, "", ""]
    return "\r\n".join(lines).encode()


async def open_many(address, count, first=b"", **options):
    """`count` connections, each of which says `first` at once; those that were refused are left out."""
    gate = asyncio.Semaphore(100)

    async def one():
        async with gate:
            try:
                connection = await Wire.open(address, **options)
                if first:
                    await connection.send(first)
                return connection
            except (OSError, TimeoutError):
                return None

    opened = await asyncio.gather(*(one() for _ in range(count)))
    return [wire for wire in opened if wire]


def close_all(wires):
    for wire in wires:
        wire.close()
