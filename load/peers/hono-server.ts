/** The bound for a door on Hono: one bare route that answers constant JSON of one cell. */

import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const body = process.argv[2] ?? '{}'
const app = new Hono()
app.get('/:table/:row', (context) => context.body(body, 200, { 'content-type': 'application/json' }))
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => {
  process.stdout.write(`ready port=${(server.address() as AddressInfo).port}\n`)
})
