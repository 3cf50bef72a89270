/** The operations by their types. */

import { EMPTY } from '../../../model/bytes.ts'
import { compareText } from '../../../model/compare-text.ts'
import { SaslFailure } from '../../../wire/sasl/sasl.ts'
import { ERROR_CODE, OP_CODE } from '../../../wire/zookeeper/codes.ts'
import { part } from '../../../wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import { AUTH_PACKET, GET_CHILDREN_RESPONSE } from '../../../wire/zookeeper/records.ts'
import { SASL_TOKEN, WHO_AM_I_RESPONSE } from '../../../wire/zookeeper/server-records.ts'
import { type Operation, type OperationContext, type Response, ZooKeeperError } from './operation.ts'
import { READS } from './reads.ts'
import { SEVERAL } from './several.ts'
import { WATCH_OPERATIONS } from './watch-operations.ts'

/** Most users that a connection may name. */
const USERS_MAX = 16

/** Schemes whose credentials ZooKeeper takes without a check. */
const AUTH_SCHEMES: ReadonlySet<string> = new Set(['digest', 'ip'])

/** Throws AUTH_FAILED for a scheme that the server does not have; the connection then ends. */
function auth(reader: JuteReader, { users }: OperationContext): Response {
  const { scheme, auth: credentials } = AUTH_PACKET.read(reader)
  if (!AUTH_SCHEMES.has(scheme)) throw new ZooKeeperError(ERROR_CODE.authFailed)
  const [user = ''] = (credentials ?? Buffer.alloc(0)).toString('utf8').split(':')
  const isNew = scheme === 'digest' && !users.some((other) => other.scheme === scheme && other.user === user)
  if (isNew && users.length < USERS_MAX) users.push({ scheme, user })
  return undefined
}

/** A server without SASL answers without a token, at which Java's clients give up. Throws AUTH_FAILED for a login that fails; the connection then ends. */
async function sasl(reader: JuteReader, { login, users }: OperationContext): Promise<Response> {
  const { token } = SASL_TOKEN.read(reader)
  try {
    const step = await login.step(token ?? EMPTY)
    if (step?.isDone === true) users.push({ scheme: 'sasl', user: login.principal })
    return part(SASL_TOKEN, { token: step?.token ?? null })
  } catch (error) {
    throw error instanceof SaslFailure ? new ZooKeeperError(ERROR_CODE.authFailed) : error
  }
}

function whoAmI(_: JuteReader, { users }: OperationContext): Response {
  return part(WHO_AM_I_RESPONSE, {
    clientInfo: users
      .map(({ scheme, user }) => ({ authScheme: scheme, user }))
      .sort((a, b) => compareText(a.authScheme, b.authScheme)),
  })
}

/** The ephemeral nodes of the client's session: none, as it cannot create nodes. */
function getEphemerals(): Response {
  return part(GET_CHILDREN_RESPONSE, { children: [] })
}

function nothing(): Response {
  return undefined
}

/** Refuses a change as a ZooKeeper without its quorum does. Clients then see that the server is read-only, not that they lack a permission. */
function refused(): Response {
  throw new ZooKeeperError(ERROR_CODE.notReadOnly)
}

export const OPERATIONS: Readonly<Record<keyof typeof OP_CODE, Operation>> = {
  ...READS,
  ...WATCH_OPERATIONS,
  ...SEVERAL,
  auth,
  sasl,
  whoAmI,
  getEphemerals,
  ping: nothing,
  closeSession: nothing,
  create: refused,
  delete: refused,
  setData: refused,
  setAcl: refused,
  create2: refused,
  reconfig: refused,
  createContainer: refused,
  deleteContainer: refused,
  createTtl: refused,
}
