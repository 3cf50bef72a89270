import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { logDoorPrincipals } from '../../../src/cli/kerberos/door-principals.ts'
import { keytabBytes } from '../../harness/kerberos/keytab-bytes.ts'
import { parsedSettings } from '../parsed-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-door-principals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [HTTP, HBASE] = ['HTTP/gateway.example@R', 'hbase/gateway.example@R']
const HTTP_PLACES = 'REST, Thrift over HTTP, the web pages'

interface Lines {
  readonly info: string[]
  readonly warn: string[]
}

async function logged(principals: readonly string[], ...args: readonly string[]): Promise<Lines> {
  const lines: Lines = { info: [], warn: [] }
  const keytab = join(folder, 'keytab')
  writeFileSync(keytab, keytabBytes(...principals))
  const settings = parsedSettings('--kerberos-service-keytab', keytab, ...args)
  const write = (line: string): void => {
    const { level, msg } = JSON.parse(line) as { readonly level: number; readonly msg: string }
    lines[level === pino.levels.values['warn'] ? 'warn' : 'info'].push(msg)
  }
  await logDoorPrincipals(
    settings,
    settings.guard!.kerberos!.services,
    settings.advertise?.host ?? 'localhost',
    pino({}, { write }),
  )
  return lines
}

test('one line names the principals, and the places of each', async () => {
  expect(await logged([HTTP, HBASE])).toEqual({
    info: [`takes Kerberos as ${HTTP} (${HTTP_PLACES}); ${HBASE} (sockets of Thrift, native RPC)`],
    warn: [],
  })
})

test('doors that are off are not named', async () => {
  const off = ['--rest', 'off', '--rpc', 'off', '--web', 'off', '--timeline', '8188']
  expect(await logged([HTTP, HBASE], ...off)).toEqual({
    info: [
      `takes Kerberos as ${HTTP} (Thrift over HTTP, the timeline service); ${HBASE} (sockets of Thrift)`,
    ],
    warn: [],
  })
})

test('a keytab without a principal of a kind is warned of, with the places', async () => {
  const { info, warn } = await logged(['tidegate/localhost@R'])
  expect(info).toEqual(['takes Kerberos as tidegate/localhost@R (sockets of Thrift, native RPC)'])
  expect(warn).toEqual([
    expect.stringMatching(
      /keytab has no principal HTTP\/HOST: clients get no ticket for REST, Thrift over HTTP, /,
    ),
  ])
  expect((await logged([HTTP])).warn).toEqual([
    expect.stringMatching(
      /keytab has no principal hbase\/HOST: clients get no ticket for sockets of Thrift, native RPC;/,
    ),
  ])
})

test('a principal that the settings state is named alone', async () => {
  const named = await logged([HTTP, HBASE], '--kerberos-service-principal', HBASE)
  expect(named).toEqual({ info: [`takes Kerberos as ${HBASE} (sockets of Thrift, native RPC)`], warn: [] })
})

test('an advertised host without a principal is warned of', async () => {
  const { warn } = await logged([HTTP, HBASE], '--advertise', 'other.example')
  expect(warn).toEqual([
    expect.stringMatching(/sent to other\.example, .* add hbase\/other\.example, or give --adv/),
  ])
  expect((await logged([HTTP, HBASE], '--advertise', 'Gateway.Example')).warn).toEqual([])
  expect((await logged([HTTP, HBASE], '--advertise', 'other.example', '--rpc', 'off')).warn).toEqual([])
})

test('a keytab that cannot be read is not described: its opening reports it', async () => {
  const settings = parsedSettings('--kerberos-service-keytab', join(folder, 'none'))
  const logger = pino({}, { write: () => expect.unreachable() })
  await logDoorPrincipals(settings, settings.guard!.kerberos!.services, 'localhost', logger)
})
