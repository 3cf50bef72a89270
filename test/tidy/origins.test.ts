/** One object says who is at the other end of a connection: code that asks a socket itself would forget stand-ins, proxies or siblings. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The front shakes hands before there is a client. */
const ALLOWED: ReadonlySet<string> = new Set([
  'src/gateway/connections/connection-origin.ts',
  'src/gateway/identity/tls/tls-front.ts',
])

test('no code of a door or of the gateway asks a socket for its other end', () => {
  const folders = ['src/doors', 'src/gateway']
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    encoding: 'utf8',
  })
  const asking = files
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !ALLOWED.has(file))
    .filter((file) =>
      /\b(?:remoteAddress|remotePort|getPeerCertificate|instanceof TLSSocket)\b/.test(
        readFileSync(file, 'utf8'),
      ),
    )
  expect(asking).toEqual([])
})
