"""Calls Thrift over HTTP as Hue does: SPNEGO by pykerberos for each request, and the user in the header doAs. Prints the status and how the login ended."""

import http.client
import json
import sys

import kerberos

port, user, body = int(sys.argv[1]), sys.argv[2], sys.argv[3]

_, context = kerberos.authGSSClientInit("HTTP@localhost", mech_oid=kerberos.GSS_MECH_OID_SPNEGO)
kerberos.authGSSClientStep(context, "")
headers = {
    "Authorization": "Negotiate " + kerberos.authGSSClientResponse(context),
    "Content-Type": "application/x-thrift",
    "doAs": user,
}
connection = http.client.HTTPConnection("localhost", port)
with open(body, "rb") as file:
    connection.request("POST", "/", file.read(), headers)
answer = connection.getresponse()
answer.read()
challenge = answer.getheader("WWW-Authenticate") or ""
proved = False
if challenge.startswith("Negotiate "):
    # The client checks that the server has the key of its principal.
    proved = kerberos.authGSSClientStep(context, challenge[len("Negotiate "):]) == kerberos.AUTH_GSS_COMPLETE
print(json.dumps({"status": answer.status, "proved": proved}))
