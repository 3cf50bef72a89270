/** The documentation as a site on this machine's loopback: `npm run docs:serve [-- --port 8000]`. */

import type { AddressInfo } from 'node:net'
import { Command } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { makeSite } from '../test/harness/docs-site/site.ts'
import { serveSite } from '../test/harness/docs-site/site-server.ts'
import { wholeNumber } from './whole-number.ts'

const { port } = new Command('docs:serve')
  .option('--port <port>', '0 for a free one', '8000')
  .parse()
  .opts<{ port: string }>()
const server = await serveSite(makeSite(packageRoot()).files, wholeNumber('port', port)!)
process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
