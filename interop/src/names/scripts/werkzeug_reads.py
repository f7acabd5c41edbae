# Prints, as JSON, what Werkzeug finds in the header of each name.
import http.client
import json
import sys

from werkzeug.http import parse_options_header

address, count = sys.argv[1], int(sys.argv[2])
connection = http.client.HTTPConnection(address)
names = []
for at in range(count):
    connection.request("GET", f"/names/{at}/url-name")
    response = connection.getresponse()
    response.read()
    _, parameters = parse_options_header(response.getheader("Content-Disposition"))
    names.append(parameters.get("filename"))
print(json.dumps(names))
