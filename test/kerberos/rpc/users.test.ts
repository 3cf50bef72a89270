/** The users of tickets at native RPC: superusers by the short name, users for whom others act, principals of another realm, and names of other scripts. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos } from '../../../src/kerberos/kerberos.ts'
import { WhoAmIResponseSchema } from '../../../src/wire/rpc/gen/authentication_pb.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { ChildServer } from '../../harness/child-server.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { AuthCode, SaslTalk } from '../../harness/sasl-talk.ts'
import { FREE_PORTS, MAIN } from '../../harness/tidegate-process.ts'
import { keytabIn, RealmVariables } from '../thrift/kerberos-thrift.ts'

const REALM = 'TIDEGATE.TEST'
const TARGET = `hbase/localhost@${REALM}`
const OTHER_REALM = 'OTHER.TEST'
/** Users of both realms by the name alone, of two components hue alone. */
const RULES = [
  'RULE:[1:$1@$0](.*@OTHER\\.TEST)s/@.*//',
  'RULE:[1:$1@$0](.*@TIDEGATE\\.TEST)s/@.*//',
  'RULE:[2:$1@$0](hue@TIDEGATE\\.TEST)s/@.*//',
].join(' ')
const EXEC = rpcMethod(ClientService.method.execService)
const CREATE = rpcMethod(MasterService.method.createNamespace)

let folder: string
let kdc: Kdc
let variables: RealmVariables | undefined
let kerberos: Kerberos
let byDefault: ChildServer
let byRules: ChildServer

function start(...flags: readonly string[]): Promise<ChildServer> {
  const keytab = ['--kerberos-service-keytab', keytabIn(folder, 'service')]
  const access = ['--authorization', '--superuser', 'root', '--proxy-user', 'hue for alice from *']
  const all = ['--store', 'memory', ...FREE_PORTS, '--log-level', 'silent', ...keytab, ...access, ...flags]
  return ChildServer.start(MAIN, ['serve', ...all])
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rpc-users-'))
  kdc = await Kdc.start({ otherRealm: true })
  variables = new RealmVariables(kdc)
  kerberos = openKerberos()
  await kdc.addPrincipal('hbase/localhost', { keytab: keytabIn(folder, 'service') })
  byDefault = await start()
  byRules = await start('--kerberos-rules', RULES)
}, 120_000)

afterAll(async () => {
  await byDefault?.stop()
  await byRules?.stop()
  await kerberos?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

interface Shown {
  /** The user that the client states; default: its principal. */
  readonly actingAs?: string
  readonly service?: 'ClientService' | 'MasterService'
}

/** A connection with a ticket of the principal, whose keys are made first. */
async function talkAs(server: ChildServer, principal: string, shown: Shown = {}): Promise<SaslTalk> {
  const { actingAs = principal, service = 'ClientService' } = shown
  const keytab = join(folder, `${Buffer.from(principal).toString('hex')}.keytab`)
  await kdc.addPrincipal(principal, { keytab }).catch(() => undefined)
  const login = await kerberos.logIn({ principal, keytab })
  const talk = await SaslTalk.open(server.port('rpc'))
  await talk.logIn(AuthCode.kerberos, login.saslClient(TARGET, ['privacy']))
  talk.header({ user: actingAs, service })
  login.close()
  return talk
}

/** The user and the method of the connection's calls. Rejects with the refusal of the connection. */
async function whoAmI(server: ChildServer, principal: string, actingAs?: string): Promise<string> {
  const talk = await talkAs(server, principal, actingAs === undefined ? {} : { actingAs })
  try {
    const region = { type: 1 as const, value: Buffer.from('hbase:meta,,1') }
    const serviceName = 'hbase.pb.AuthenticationService'
    const call = { row: Buffer.alloc(0), serviceName, methodName: 'WhoAmI', request: Buffer.alloc(0) }
    const { value } = await talk.call(EXEC, { region, call })
    const { username, authMethod } = fromBinary(WhoAmIResponseSchema, value!.value)
    return `${username} ${authMethod}`
  } finally {
    talk.close()
  }
}

/** A change that only a superuser may make. */
async function makesNamespace(server: ChildServer, principal: string, name: string): Promise<string> {
  const talk = await talkAs(server, principal, { service: 'MasterService' })
  const answer = talk.call(CREATE, { namespaceDescriptor: { name: Buffer.from(name) } })
  return answer.then(() => 'made', String).finally(() => talk.close())
}

describe('by the rule DEFAULT', () => {
  test.each([
    [`alice@${REALM}`, 'alice KERBEROS'],
    [`alice/some.host@${REALM}`, 'alice KERBEROS'],
    [`zoë@${REALM}`, 'zoë KERBEROS'],
    [`日本@${REALM}`, '日本 KERBEROS'],
    [`with space@${REALM}`, 'with space KERBEROS'],
  ])('%s is %s', async (principal, user) => {
    expect(await whoAmI(byDefault, principal)).toBe(user)
  })

  test.each([`bob@${OTHER_REALM}`, `root@${OTHER_REALM}`, `a/b/c@${REALM}`])(
    '%s is refused',
    async (principal) => {
      await expect(whoAmI(byDefault, principal)).rejects.toThrow()
    },
  )

  test('each first component counts, whatever the second one is: as with HBase', async () => {
    expect(await makesNamespace(byDefault, `root@${REALM}`, 'ns1')).toBe('made')
    expect(await makesNamespace(byDefault, `root/any.host@${REALM}`, 'ns2')).toBe('made')
    expect(await makesNamespace(byDefault, `alice@${REALM}`, 'ns3')).toContain('Insufficient permissions')
    expect(await makesNamespace(byDefault, `Root@${REALM}`, 'ns3')).toContain('Insufficient permissions')
  })

  test('a proxy acts for its users alone, by any of their names', async () => {
    for (const stated of ['alice', `alice@${REALM}`, `alice/host@${REALM}`])
      expect(await whoAmI(byDefault, `hue/localhost@${REALM}`, stated)).toBe('alice PROXY')
    for (const stated of ['bob', `root@${REALM}`, `alice@${OTHER_REALM}`])
      await expect(whoAmI(byDefault, `hue/localhost@${REALM}`, stated)).rejects.toThrow()
    await expect(whoAmI(byDefault, `alice@${REALM}`, 'root')).rejects.toThrow()
  })
})

describe('by rules that name realms and hosts', () => {
  test('a user of the other realm comes in', async () => {
    expect(await whoAmI(byRules, `bob@${OTHER_REALM}`)).toBe('bob KERBEROS')
  })

  test('a superuser with a second component does not', async () => {
    expect(await makesNamespace(byRules, `root@${REALM}`, 'ns1')).toBe('made')
    await expect(whoAmI(byRules, `root/any.host@${REALM}`)).rejects.toThrow()
    expect(await whoAmI(byRules, `hue/localhost@${REALM}`)).toBe('hue KERBEROS')
  })
})
