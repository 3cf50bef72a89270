"""Calls REST as Python programs with requests-gssapi do: a table, a row, the same row in a session, and a doAs. Prints the answers."""

import json
import sys

import requests
from requests_gssapi import HTTPSPNEGOAuth, REQUIRED

url, user = sys.argv[1], sys.argv[2]
row = {"Row": [{"key": "cg==", "Cell": [{"column": "Zjpx", "$": "dg=="}]}]}
accept = {"Accept": "application/json"}

# A ticket for each request; the client refuses a server that does not prove itself.
login = HTTPSPNEGOAuth(mutual_authentication=REQUIRED)
put = requests.put(url + "/t/r", json=row, auth=login)
got = requests.get(url + "/t/r", headers=accept, auth=login)
# The ticket goes with the first request, before the server asks for one.
eager = requests.get(url + "/version", auth=HTTPSPNEGOAuth(opportunistic_auth=True))
acting = requests.get(url + "/t/r?doAs=" + user, headers=accept, auth=login)
# The cookie of the first answer stands for further tickets.
session = requests.Session()
first = session.get(url + "/t/r", headers=accept, auth=login)
again = session.get(url + "/t/r", headers=accept)
bare = requests.get(url + "/t/r", headers=accept)
print(json.dumps({
    "put": put.status_code,
    "value": got.json()["Row"][0]["Cell"][0]["$"],
    "eager": [eager.status_code, len(eager.history)],
    "acting": acting.status_code,
    "session": [first.status_code, again.status_code, "hadoop.auth" in session.cookies],
    "bare": bare.status_code,
}))
