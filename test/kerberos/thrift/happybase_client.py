"""happybase with a login by SASL GSSAPI: thrift_sasl's transport and pure-sasl's mechanism. Prints what it reads, as JSON."""

import json
import sys

import happybase
from puresasl.client import SASLClient
from thrift_sasl import TSaslClientTransport
from thriftpy2.protocol.binary import TBinaryProtocol
from thriftpy2.thrift import TClient
from thriftpy2.transport import TSocket


class Sasl:
    """pure-sasl's client with the methods that thrift_sasl calls."""

    def __init__(self, host, service, options):
        self._client = SASLClient(host, service=service, **options)
        self._error = ""

    def start(self, mechanism):
        self._client.choose_mechanism([mechanism], allow_anonymous=False)
        return True, self._client.mechanism, self._client.process()

    def step(self, challenge):
        return True, self._client.process(challenge)

    def encode(self, data):
        wrapped = self._client.wrap(data)
        if self._client.qop == b"auth" or self._client.qop == "auth":
            return True, wrapped
        return True, len(wrapped).to_bytes(4, "big") + wrapped

    def decode(self, data):
        return True, self._client.unwrap(data[4:])

    def getError(self):
        return self._error


class KerberosConnection(happybase.Connection):
    sasl_service = None
    options = {}

    def _refresh_thrift_client(self):
        super()._refresh_thrift_client()
        service = self.client._service
        transport = TSaslClientTransport(
            lambda: Sasl("localhost", self.sasl_service, self.options), "GSSAPI", TSocket("localhost", self.port)
        )
        self.transport = transport
        self.client = TClient(service, TBinaryProtocol(transport, decode_response=False))


def value_of(size):
    return (b"%d " % size * (size // 2 + 1))[:size]


def main(port, service, name, options, sizes):
    KerberosConnection.sasl_service = service
    KerberosConnection.options = options
    connection = KerberosConnection(port=port, autoconnect=False)
    connection.open()
    table = connection.table(name)
    table.put(b"happy", {b"f:q": b"value"})
    for size in sizes:
        table.put(b"large", {b"f:%d" % size: value_of(size)})
    with table.batch() as batch:
        for number in range(300):
            batch.put(b"many%03d" % number, {b"f:q": b"%d" % number, b"f:wide": b"w" * 20000})
    rows = list(table.scan(row_prefix=b"many", batch_size=300))
    answers = {
        "value": table.row(b"happy")[b"f:q"].decode(),
        "large": [table.row(b"large", [b"f:%d" % size]) == {b"f:%d" % size: value_of(size)} for size in sizes],
        "rows": len(rows),
        "wide": sum(len(row[b"f:wide"]) for _, row in rows),
        "last": rows[-1][1][b"f:q"].decode(),
        "qop": str(connection.transport.sasl._client.qop),
    }
    try:
        connection.table("missing").row(b"r")
    except Exception as error:
        answers["missing"] = type(error).__name__
    connection.close()
    print(json.dumps(answers))


main(int(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4]), json.loads(sys.argv[5]))
