/** Serves the files of a site on the loopback, and nothing else: each request is looked up among them. */

import { createServer, type Server } from 'node:http'
import { extname } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

export async function serveSite(files: ReadonlyMap<string, string | Buffer>, port: number): Promise<Server> {
  const server = createServer(({ url, method }, response) => {
    const path = new URL(url!, 'http://site').pathname.slice(1)
    const content = files.get(path === '' ? 'index.html' : path)
    if (content === undefined) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('no such page\n')
      return
    }
    const type = TYPES[extname(path === '' ? 'index.html' : path)] ?? 'application/octet-stream'
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
    })
    response.end(method === 'HEAD' ? undefined : content)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return server
}
