/** AuthenticationService: delegation tokens, and the caller as the server knows it. Clients call the region of hbase:meta. HBase: TokenProvider. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { DoorContext } from '../../../gateway/door.ts'
import type { DelegationToken } from '../../../gateway/identity/delegation/delegation-tokens.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import {
  GetAuthenticationTokenRequestSchema,
  GetAuthenticationTokenResponseSchema,
  WhoAmIRequestSchema,
  WhoAmIResponseSchema,
} from '../../../wire/rpc/gen/authentication_pb.ts'
import { readClientMessage } from '../messages/read-message.ts'
import type { Endpoint, EndpointRequest } from './endpoint.ts'

const ANSWER_PACKAGE = 'org.apache.hadoop.hbase.protobuf.generated.AuthenticationProtos$'
const TOKEN_METHOD = 'GetAuthenticationToken'

type Logins = Required<Pick<DoorContext, 'guard'>> & Pick<DoorContext, 'audit'>

export function authenticationEndpoint(logins: Logins): Endpoint {
  return {
    answerClassOf: (method) => `${ANSWER_PACKAGE}${method}Response`,
    methods: new Map([
      [TOKEN_METHOD, (request) => newToken(logins, request)],
      ['WhoAmI', whoAmI],
    ]),
  }
}

async function newToken(logins: Logins, { message, call }: EndpointRequest): Promise<Uint8Array> {
  readClientMessage(GetAuthenticationTokenRequestSchema, message)
  try {
    const { identifier, password, service } = await issued(logins, call)
    report(logins, call)
    const token = { identifier, password, service: Buffer.from(service) }
    return bytesOf(GetAuthenticationTokenResponseSchema, { token })
  } catch (error) {
    report(logins, call, error)
    throw error
  }
}

/** Rejects with ACCESS_DENIED for a client that has not logged in by Kerberos: a token would outlive a password, and make itself new tokens. */
async function issued({ guard }: Logins, { principal }: Call): Promise<DelegationToken> {
  const delegation = guard?.delegation
  if (delegation === undefined)
    throw new HBaseError(
      'DO_NOT_RETRY',
      'No secret manager configured for token authentication: it needs Kerberos for native RPC, and in front of a cluster --delegation-keys FOLDER',
    )
  if (principal?.method !== 'KERBEROS')
    throw new HBaseError('ACCESS_DENIED', 'Token generation only allowed for Kerberos authenticated clients')
  return await delegation.issue(principal.user)
}

function report({ audit }: Logins, { principal, address }: Call, error?: unknown): void {
  const isRefused = isHBaseError(error) && error.code === 'ACCESS_DENIED'
  audit?.write({
    door: 'rpc',
    user: principal?.user,
    realUser: principal?.realUser,
    address,
    action: 'getDelegationToken',
    allowed: !isRefused,
    ...(isRefused && { reason: error.message }),
    ...(error !== undefined && !isRefused && { failure: isHBaseError(error) ? error.code : 'IO' }),
  })
}

async function whoAmI({ message, call: { principal } }: EndpointRequest): Promise<Uint8Array> {
  readClientMessage(WhoAmIRequestSchema, message)
  if (principal === undefined) return bytesOf(WhoAmIResponseSchema, {})
  const { user: username, realUser, method = 'SIMPLE' } = principal
  return bytesOf(WhoAmIResponseSchema, { username, authMethod: realUser === undefined ? method : 'PROXY' })
}

function bytesOf<Schema extends DescMessage>(schema: Schema, message: MessageInitShape<Schema>): Uint8Array {
  return toBinary(schema, create(schema, message))
}
