# Uploads a file under each name, with requests.
import sys

import requests

address = sys.argv[1]
with requests.Session() as session:
    # No proxy of the environment's.
    session.trust_env = False
    cases = session.get(f"http://{address}/cases").json()
    for at, name in enumerate(cases["names"]):
        files = {cases["field"]: (name, f"case {at}\n".encode())}
        session.post(f"http://{address}/uploads/fetch/{at}", files=files).raise_for_status()
