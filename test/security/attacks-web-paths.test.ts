/** Ways to write a path that leads from the pages of health, which strangers may see, to another page. */

import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'

let folder: PemFolder
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', 'the password of alice')
  server = await startTidegate({ rpc: 0, zookeeper: 0, web: 0, users, testMode: true })
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

/** The status of a request whose path no client library has tidied. */
function statusOf(method: string, path: string, headers = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.ports.web!, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk) => (answer += String(chunk)))
    socket.once('error', reject)
    socket.once('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])))
    const end = 'Host: x\r\nConnection: close\r\nContent-Length: 0\r\n'
    socket.write(`${method} ${path} HTTP/1.1\r\n${end}${headers}\r\n`)
  })
}

const HEALTH = ['/health', '/health/live', '/health/ready']

test.each(HEALTH)('%s is for everybody', async (path) => {
  expect(await statusOf('GET', path)).toBe(200)
  expect(await statusOf('GET', `${path}?full`)).toBe(200)
})

const PAGES = [
  '',
  'metrics',
  'jmx',
  'console/api/rows?table=t',
  'console/api/changes',
  'rs-status',
  '_test/reset',
  'table.jsp?name=t',
]
const STEPS = [
  'health',
  'live',
  '..',
  '.',
  '',
  '%2e%2e',
  '.%2e',
  '%2E.',
  'x',
  '%2f',
  ';',
  '..;',
  '%252e%252e',
  '\\..',
]

test('nothing but health is for strangers, however its path is written', async () => {
  const path = fc
    .tuple(fc.array(fc.constantFrom(...STEPS), { maxLength: 5 }), fc.constantFrom(...PAGES))
    .map(([steps, page]) => `/${[...steps, page].join('/')}`)
  const judged = fc.asyncProperty(fc.constantFrom('GET', 'POST', 'HEAD'), path, async (method, asked) => {
    const status = await statusOf(method, asked, 'x-tidegate-console: 1\r\n')
    const isHealth = HEALTH.includes(new URL(`http://x${asked}`).pathname)
    expect([asked, isHealth || status >= 400]).toEqual([asked, true])
  })
  const known = [
    '/health/../metrics',
    '/health/../console/api/rows?table=t',
    '/health/%2e%2e/jmx',
    '/health/../_test/reset',
  ]
  await fc.assert(judged, {
    numRuns: 300,
    examples: known.flatMap((each) => ['GET', 'POST'].map((method): [string, string] => [method, each])),
  })
}, 60_000)
