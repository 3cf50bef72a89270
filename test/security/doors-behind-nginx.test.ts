/** Thrift over HTTP and the console behind the example of nginx in docs/security-reference.md. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'
import { hasNginx } from '../harness/nginx.ts'
import {
  checkAnswer,
  createTable,
  getRow,
  i32Answer,
  listAnswerLength,
  mutateRows,
  scannerGetList,
  scannerOpenWithScan,
} from '../harness/thrift-frames.ts'
import {
  audited,
  base64,
  NginxExample,
  optionsBehindNginx,
  type Question,
  type Reply,
} from './nginx-example.ts'

const IS_THERE = hasNginx()
const MIB = 1024 * 1024
/** Of the client that is not where nginx is. Every address of 127.0.0.0/8 is the machine's own on Linux alone. */
const ELSEWHERE = '127.0.0.9'
const HAS_ELSEWHERE = process.platform === 'linux'

let folder: PemFolder
let server: Tidegate
let nginx: NginxExample | undefined

beforeAll(async () => {
  if (!IS_THERE) return
  folder = new PemFolder()
  server = await startTidegate({ ...(await optionsBehindNginx(folder)), web: 0, consoleWrites: true })
  nginx = await NginxExample.start(folder, { thrift: server.ports.thrift!, web: server.ports.web! })
  for (const call of [createTable('t', 'f'), mutateRows('t', ['a', 'b', 'c'], 'f:q', 'v')])
    checkAnswer((await thrift(call)).frame)
})

afterAll(async () => {
  await nginx?.stop()
  await server?.stop()
  folder?.remove()
})

beforeEach(({ skip }) => {
  if (!IS_THERE) skip('nginx is not installed')
})

interface ThriftReply extends Reply {
  /** The reply with a length before it. */
  readonly frame: Buffer
}

/** `call`: behind its length, which HTTP has no use for. */
async function thrift(call: Buffer, question: Question = {}, path = '/'): Promise<ThriftReply> {
  const headers = { accept: 'application/x-thrift', 'content-type': 'application/x-thrift' }
  const asked = { ...question, headers: { ...headers, ...question.headers }, body: call.subarray(4) }
  const reply = await nginx!.ask('thrift', 'POST', path, asked)
  return { ...reply, frame: Buffer.concat([Buffer.alloc(4), reply.body]) }
}

async function change(body: object, headers: Record<string, string> = {}): Promise<Reply> {
  const own = { 'x-tidegate-console': '1', ...headers }
  return await nginx!.ask('web', 'POST', '/console/api/changes', { headers: own, body: JSON.stringify(body) })
}

function put(value: string): object {
  return { kind: 'put', table: 't', row: base64('r'), family: base64('f'), qualifier: base64('q'), value }
}

test.each(['thrift', 'web'])(
  'at the door %s a user of nginx is one of Tidegate, and nobody else is',
  async (door) => {
    const asked = (question?: Question): Promise<Reply> =>
      door === 'thrift'
        ? thrift(getRow('t', 'a'), question)
        : nginx!.ask('web', 'GET', '/console/api/overview', question)
    const { status, body } = await asked({ user: 'bob', headers: { doAs: 'root', DOAS: 'root' } })
    expect([status, body.length > 0]).toEqual([200, true])
    if (door === 'web') expect(JSON.parse(body.toString())).toMatchObject({ user: 'bob' })
    else
      await expect.poll(() => audited(folder, 'get').at(-1)).toMatchObject({ user: 'bob', realUser: 'knox' })
    for (const question of [{ password: 'wrong' }, { user: 'knox', password: 'the password of knox' }])
      expect((await asked(question)).status).toBe(401)
  },
)

test.each(['doAs', 'DOAS', 'doAs=ann&doas', '%64%4f%61%73'])(
  'a %s in the address lets nobody act for root',
  async (name) => {
    const { status, body } = await nginx!.ask('web', 'GET', `/console/api/overview?${name}=root`)
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('name different users')])
    // HBase's Thrift server, too, reads the header alone.
    checkAnswer((await thrift(getRow('t', 'a'), {}, `/?${name}=root`)).frame)
    await expect.poll(() => audited(folder, 'get').at(-1)?.user).toBe('ann')
    for (const action of ['login', 'get'])
      expect(audited(folder, action).some(({ user }) => user === 'root')).toBe(false)
  },
)

test.runIf(HAS_ELSEWHERE)(
  'the audit log has the address of the client, also where it names another',
  async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'gopher' }
    const { frame } = await thrift(getRow('t', 'a'), { headers, localAddress: ELSEWHERE })
    checkAnswer(frame)
    await expect.poll(() => audited(folder, 'get').at(-1)).toMatchObject({ user: 'ann', address: ELSEWHERE })
    const asked = { headers, localAddress: ELSEWHERE }
    const rows = '/console/api/rows?table=t'
    expect((await nginx!.ask('web', 'GET', rows, asked)).status).toBe(200)
    await expect
      .poll(() => audited(folder, 'openScanner').at(-1))
      .toMatchObject({ user: 'ann', address: ELSEWHERE })
    const actions = ['login', 'get', 'openScanner'].flatMap((action) => audited(folder, action))
    expect(actions.some(({ address }) => address === '192.0.2.1')).toBe(false)
  },
)

test('a scanner of Thrift belongs to the user who has opened it, over whatever connection of nginx', async () => {
  const id = i32Answer((await thrift(scannerOpenWithScan('t', 10))).frame)
  expect(listAnswerLength((await thrift(scannerGetList(id, 2))).frame)).toBe(2)
  const { frame } = await thrift(scannerGetList(id, 1), { user: 'bob' })
  expect(() => checkAnswer(frame)).toThrow('scanner')
  expect(listAnswerLength((await thrift(scannerGetList(id, 2))).frame)).toBe(1)
})

test('large bodies of Thrift pass in both directions', { timeout: 60_000 }, async () => {
  const value = 'abcdefghijklmnop'.repeat(0.5 * MIB)
  checkAnswer((await thrift(mutateRows('t', ['large', 'larger'], 'f:q', value))).frame)
  for (const row of ['large', 'larger']) {
    const { frame } = await thrift(getRow('t', row))
    checkAnswer(frame)
    expect(frame.includes(value)).toBe(true)
  }
})

test('the console opens, changes rows for its own pages, and takes a value of more than nginx takes by default', async () => {
  const page = await nginx!.ask('web', 'GET', '/console/')
  expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
  const origin = `https://localhost:${nginx!.ports.get('web')}`
  const { headers } = await nginx!.ask('web', 'GET', '/console')
  expect(new URL(headers.location!, `${origin}/console`).href).toBe(`${origin}/console/`)
  const value = Buffer.alloc(1.25 * MIB, 'v').toString('base64')
  expect((await change(put(value), { origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  await expect
    .poll(() => audited(folder, 'mutate').at(-1))
    .toMatchObject({ door: 'web', user: 'ann', realUser: 'knox' })
  const foreign = await change(put(value), { origin: 'https://localhost' })
  expect([foreign.status, foreign.body.toString()]).toEqual([
    403,
    expect.stringContaining('a page of https://localhost'),
  ])
})
