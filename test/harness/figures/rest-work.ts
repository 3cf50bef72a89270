/** Requests of REST after which the counts of two REST servers are compared: of each kind some that succeed and some that do not. */

import { OF_REST } from './shared-work.ts'

const COLUMN = 'f:q'

export async function doRestWork(port: number): Promise<void> {
  const table = `/${OF_REST}`
  await ask(port, 'PUT', `${table}/row`, cellSet('row', COLUMN))
  await ask(port, 'PUT', `${table}/other`, cellSet('other', COLUMN))
  await ask(port, 'PUT', `${table}/row`, cellSet('row', 'none:q'))
  for (const path of ['/row', '/row', '/row/f:q', '/missing', '/missing/f:q', '/row*']) {
    await ask(port, 'GET', `${table}${path}`)
  }
  await ask(port, 'GET', '/figures_none/row')
  await ask(port, 'GET', `${table}/multiget?row=row&row=missing`)
  await ask(port, 'GET', `${table}/multiget?row=missing`)
  await ask(port, 'GET', `${table}/*?limit=1`)
  await readScanner(port, table)
  await ask(port, 'DELETE', `${table}/other`)
  await ask(port, 'DELETE', '/figures_none/row')
  for (const path of ['/version', '/version/cluster', '/', `${table}/schema`, `${table}/regions`]) {
    await ask(port, 'GET', path)
  }
}

async function readScanner(port: number, table: string): Promise<void> {
  const made = await ask(port, 'PUT', `${table}/scanner`, JSON.stringify({ batch: 1 }))
  const { pathname } = new URL(made.headers.get('location')!)
  for (let batch = 0; batch < 3; batch++) await ask(port, 'GET', pathname)
  await ask(port, 'DELETE', pathname)
  await ask(port, 'GET', `${table}/scanner/none`)
}

async function ask(port: number, method: string, path: string, body?: string): Promise<Response> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) })
  await answer.arrayBuffer()
  return answer
}

function cellSet(row: string, column: string): string {
  const [key, named, value] = [row, column, 'value'].map((text) => Buffer.from(text).toString('base64'))
  return JSON.stringify({ Row: [{ key, Cell: [{ column: named, $: value }] }] })
}
