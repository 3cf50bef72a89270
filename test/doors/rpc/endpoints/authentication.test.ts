/** AuthenticationService, as the Java client calls it on hbase:meta. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authenticationEndpoint } from '../../../../src/doors/rpc/endpoints/authentication.ts'
import type { NamedRegion } from '../../../../src/doors/rpc/regions/named-region.ts'
import { SignedTokens } from '../../../../src/gateway/identity/delegation/signed-tokens.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import type { Audit, AuditLog } from '../../../../src/gateway/observing/audit/audit-log.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { type LoginMethod, OWN_CALL, type Principal } from '../../../../src/store/call.ts'
import {
  GetAuthenticationTokenRequestSchema,
  GetAuthenticationTokenResponseSchema,
  WhoAmIRequestSchema,
  WhoAmIResponseSchema,
} from '../../../../src/wire/rpc/gen/authentication_pb.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { decodeTokenIdentity } from '../../../../src/wire/rpc/token-identifier.ts'
import { oneCall } from '../one-call.ts'
import { startRpcServer } from '../rpc-server.ts'

const logger = pino({ enabled: false })
let folder: string
let delegation: SignedTokens
let audited: Audit[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  delegation = new SignedTokens({ folder, keyMs: 86_400_000, tokenMs: 604_800_000 }, { logger })
  delegation.belongTo(async () => 'a-cluster')
  audited = []
})

afterEach(() => {
  delegation.close()
  rmSync(folder, { recursive: true })
})

function asked<Output extends DescMessage>(
  method: 'GetAuthenticationToken' | 'WhoAmI',
  answer: Output,
  principal: Principal | undefined,
  tokens: SignedTokens | undefined = delegation,
): Promise<MessageShape<Output>> {
  const guard = new Guard({ certificates: true }, logger, { delegation: tokens })
  const audit = { write: (line: Audit) => audited.push(line) } as unknown as AuditLog
  const endpoint = authenticationEndpoint({ guard, audit })
  const schema = method === 'WhoAmI' ? WhoAmIRequestSchema : GetAuthenticationTokenRequestSchema
  const region = { table: META_TABLE } as NamedRegion
  const request = {
    region,
    message: toBinary(schema, create(schema)),
    call: { ...OWN_CALL, principal, isOwn: false },
  }
  return endpoint.methods.get(method)!(request).then((bytes) => fromBinary(answer, bytes))
}

test('a client that has logged in by Kerberos gets a token of the cluster for itself', async () => {
  const { token } = await asked('GetAuthenticationToken', GetAuthenticationTokenResponseSchema, {
    user: 'alice',
    method: 'KERBEROS',
  })
  expect(Buffer.from(token!.service).toString()).toBe('a-cluster')
  expect(decodeTokenIdentity(Buffer.from(token!.identifier))).toMatchObject({ user: 'alice' })
  expect(token!.password).toHaveLength(20)
  expect(audited).toMatchObject([{ action: 'getDelegationToken', user: 'alice', allowed: true }])
})

test('and one that acts for another user gets a token of that user', async () => {
  const principal = { user: 'alice', realUser: 'oozie', method: 'KERBEROS' } as const
  const { token } = await asked('GetAuthenticationToken', GetAuthenticationTokenResponseSchema, principal)
  expect(decodeTokenIdentity(Buffer.from(token!.identifier))).toMatchObject({ user: 'alice' })
  expect(audited).toMatchObject([{ user: 'alice', realUser: 'oozie', allowed: true }])
})

test.each<LoginMethod | undefined>(['TOKEN', 'PASSWORD', 'CERTIFICATE', 'JWT', undefined])(
  'a client with %s gets none',
  async (method) => {
    const principal = { user: 'alice', method }
    await expect(
      asked('GetAuthenticationToken', GetAuthenticationTokenResponseSchema, principal),
    ).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException',
      message: 'Token generation only allowed for Kerberos authenticated clients',
    })
    expect(audited).toMatchObject([{ user: 'alice', allowed: false }])
  },
)

test('a server without keys says what it needs', async () => {
  const guard = new Guard({ certificates: true }, logger)
  expect(guard.delegation).toBeUndefined()
  const endpoint = authenticationEndpoint({ guard })
  const call = { ...OWN_CALL, principal: { user: 'alice', method: 'KERBEROS' } as const }
  const request = { region: { table: META_TABLE } as NamedRegion, message: new Uint8Array(0), call }
  await expect(endpoint.methods.get('GetAuthenticationToken')!(request)).rejects.toMatchObject({
    code: 'DO_NOT_RETRY',
    message: expect.stringMatching(
      /^No secret manager configured for token authentication: .*--delegation-keys/,
    ) as string,
  })
})

test.each([
  [{ user: 'alice', method: 'KERBEROS' }, 'alice', 'KERBEROS'],
  [{ user: 'alice', method: 'TOKEN' }, 'alice', 'TOKEN'],
  [{ user: 'alice', method: 'PASSWORD' }, 'alice', 'PASSWORD'],
  [{ user: 'alice', method: 'CERTIFICATE' }, 'alice', 'CERTIFICATE'],
  [{ user: 'alice', realUser: 'oozie', method: 'KERBEROS' }, 'alice', 'PROXY'],
  [{ user: 'alice' }, 'alice', 'SIMPLE'],
  [undefined, '', ''],
] as const)('WhoAmI of %j is %s by %s', async (principal, username, authMethod) => {
  expect(await asked('WhoAmI', WhoAmIResponseSchema, principal)).toMatchObject({ username, authMethod })
})

test('a server whose clients need no login has no such service, as HBase without TokenProvider', async () => {
  const server = await startRpcServer()
  try {
    const [region] = await server.remote.catalog.regions(META_TABLE, OWN_CALL)
    const call = {
      row: Buffer.alloc(0),
      serviceName: 'hbase.pb.AuthenticationService',
      methodName: 'WhoAmI',
      request: Buffer.alloc(0),
    }
    const answer = oneCall(server.door.port, ClientService.method.execService, {
      region: { type: 1, value: region!.name },
      call,
    })
    await expect(answer).rejects.toThrow('No registered coprocessor service found for AuthenticationService')
  } finally {
    await server.close()
  }
})
