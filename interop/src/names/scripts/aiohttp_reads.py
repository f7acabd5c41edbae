# Prints, as JSON, what aiohttp's client finds in the header of each name.
import asyncio
import json
import sys

import aiohttp


async def main(address, count):
    names = []
    async with aiohttp.ClientSession() as session:
        for at in range(count):
            async with session.get(f"http://{address}/names/{at}/url-name") as response:
                await response.read()
                found = response.content_disposition
                names.append(found.filename if found else None)
    print(json.dumps(names))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
