/**
 * Clients that begin a TLS handshake or a login and never end it: `npm run attack:half-open`. 10,000 of each kind at a time; the server
 * must end all of them once their time is over, and answer others all the while. Prints what each of them takes, and the gets
 * of others meanwhile, whose connections are opened while the 10,000 are there.
 *
 * TIDEGATE_ATTACK_CONNECTIONS is another number, TIDEGATE_ATTACK_KIND a part of the names of the kinds to try. The server and this process
 * each need as many open files (`ulimit -n`).
 */

import { writeUser } from '../src/gateway/identity/guard/passwords/users-file.ts'
import { Authority, PemFolder } from '../test/harness/certificates.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { closedLoop } from '../test/harness/closed-loop.ts'
import {
  HALF_LOGINS,
  type HalfOpen,
  type HalfOpening,
  halfHandshakes,
  openHalf,
} from '../test/harness/half-open.ts'
import { MAIN } from '../test/harness/tidegate-process.ts'

const CONNECTIONS = Number(process.env['TIDEGATE_ATTACK_CONNECTIONS'] ?? 10_000)
const KIND = process.env['TIDEGATE_ATTACK_KIND'] ?? ''
const HEADERS_MS = 20_000
/** The server looks at connections now and then, and an end takes its time to arrive. */
const LATE_MS_MAX = 15_000
/** Connections that are opened at a time. */
const OPENING = 100
/** The heap has come to rest by then. */
const SETTLE_MS = 3000
const GETS_MS = 3000
const [USER, PASSWORD] = ['alice', 'the password of alice']

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Target {
  readonly server: ChildServer
  readonly tls: { readonly ca: string } | undefined
}

async function gets({ server, tls }: Target): Promise<string> {
  const login = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  const request = Buffer.from(
    `GET /version/cluster HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\nAuthorization: ${login}\r\n\r\n`,
  )
  const result = await closedLoop({
    port: server.port('rest'),
    requests: [request],
    answerBytes: 'http',
    connections: 4,
    durationMs: GETS_MS,
    tls,
  })
  return `${Math.round(result.callsPerSecond)} gets/s, p99 ${result.p99Ms.toFixed(1)} ms`
}

async function attack(target: Target, kind: HalfOpening): Promise<boolean> {
  const { server } = target
  const alone = await gets(target)
  const before = server.residentBytes()
  const port = server.port(kind.door)
  const halves: HalfOpen[] = []
  let [ended, endedEarly] = [0, 0]
  const open = async (): Promise<HalfOpen> => {
    const began = performance.now()
    const half = await openHalf(port, kind)
    void half.ended.then(() => {
      ended++
      if (performance.now() - began < HEADERS_MS) endedEarly++
    })
    return half
  }
  const startedAt = performance.now()
  while (halves.length < CONNECTIONS) {
    const some = Array.from({ length: Math.min(OPENING, CONNECTIONS - halves.length) }, open)
    halves.push(...(await Promise.all(some)))
  }
  const openedAt = performance.now()
  const all = Promise.all(halves.map((half) => half.ended))
  await pause(SETTLE_MS)
  const each = (server.residentBytes() - before) / CONNECTIONS
  const beside = await gets(target)
  await Promise.race([all, pause(HEADERS_MS + LATE_MS_MAX)])
  const seconds = ((performance.now() - openedAt) / 1000).toFixed(1)
  for (const half of halves) half.destroy()
  const isGood = ended === CONNECTIONS && endedEarly === 0
  const opening = ((openedAt - startedAt) / 1000).toFixed(1)
  process.stdout.write(
    `${kind.name}: ${each.toFixed(0)} bytes each; ${ended} of ${CONNECTIONS} ended within ${seconds} s of ${opening} s in which they came` +
      `${endedEarly === 0 ? '' : `, ${endedEarly} of them early`}\n  gets meanwhile: ${beside}; before: ${alone}\n`,
  )
  return isGood
}

async function serve(directory: string, flags: readonly string[]): Promise<ChildServer> {
  const doors = ['--rest', '0', '--thrift', '0', '--rpc', '0', '--zookeeper', 'off', '--web', 'off']
  const limits = ['--headers-ms', String(HEADERS_MS), '--connections-max', String(CONNECTIONS + OPENING)]
  const log = ['--log-level', 'error']
  return ChildServer.start(MAIN, [
    'serve',
    '--store',
    `native:${directory}`,
    ...doors,
    ...limits,
    ...log,
    ...flags,
  ])
}

async function attackServer(target: Target, kinds: readonly HalfOpening[]): Promise<boolean> {
  let isGood = true
  try {
    for (const kind of kinds.filter(({ name }) => name.includes(KIND)))
      if (!(await attack(target, kind))) isGood = false
  } finally {
    await target.server.stop()
  }
  return isGood
}

async function main(): Promise<void> {
  const folder = new PemFolder()
  try {
    const users = `${folder.path}/users`
    await writeUser(users, USER, PASSWORD)
    const authority = await Authority.make()
    const issued = await authority.issue({ name: 'localhost', hosts: ['127.0.0.1'] })
    const { certificate, key } = folder.write('server', issued)
    const logins = ['--users', users]
    const encryption = ['--tls-certificate', certificate, '--tls-key', key]
    const secured = await serve(`${folder.path}/secured`, [...logins, ...encryption])
    const ofTls = await attackServer(
      { server: secured, tls: { ca: authority.certificate } },
      await halfHandshakes(),
    )
    const plain = await serve(`${folder.path}/plain`, logins)
    const ofLogins = await attackServer({ server: plain, tls: undefined }, HALF_LOGINS)
    process.exitCode = ofTls && ofLogins ? 0 : 1
  } finally {
    folder.remove()
  }
}

await main()
