/** Carries out orders with GSSAPI. Calls may wait for a KDC for many seconds, in which the thread does nothing else. */

import { CONTINUE_NEEDED, type GssLibrary } from './gss-library.ts'
import { emptyBuffer, pointerTo, readPointer, readUint32 } from './gss-memory.ts'
import type {
  AcceptOrder,
  Credential,
  InitiateOrder,
  LoginOrder,
  Message,
  Order,
  Outcome,
  ProtectOrder,
  ServiceOrder,
  Step,
} from './gss-orders.ts'
import { checkKeytabFile } from './keytab-file.ts'
import { unwrapMessage, wrapMessage } from './message-calls.ts'
import { destroyTicketCache } from './ticket-caches.ts'

const [INITIATE, ACCEPT] = [1, 2]
const INDEFINITE = 0xffffffff
/** Mutual authentication, no replays, messages in order, encryption and checksums: what SASL needs for any protection. */
const FLAGS = 2 | 4 | 8 | 16 | 32
const NO_NAME = 0n

export function carryOut(gss: GssLibrary, order: Order): Outcome {
  switch (order.kind) {
    case 'log in':
      return logIn(gss, order)
    case 'serve':
      return serve(gss, order)
    case 'initiate':
      return initiate(gss, order)
    case 'accept':
      return accept(gss, order)
    case 'release':
      gss.functions.gss_release_cred(gss.minor, pointerTo(order.credential))
      if (order.cache !== undefined) destroyTicketCache(order.cache)
      return undefined
    case 'drop':
      deleteContext(gss, order.context)
      return undefined
    case 'wrap':
    case 'unwrap':
      return protect(gss, order)
  }
}

export function deleteContext(gss: GssLibrary, context: bigint): void {
  if (context !== 0n) gss.functions.gss_delete_sec_context(gss.minor, pointerTo(context), null)
}

function protect(gss: GssLibrary, { kind, context, address, length, isEncrypted }: ProtectOrder): Message {
  const call = kind === 'wrap' ? wrapMessage : unwrapMessage
  return { message: call(gss, context, gss.memory.bufferAt(address, length), isEncrypted) }
}

function logIn(gss: GssLibrary, { principal, keytab, cache }: LoginOrder): Credential {
  const store: Record<string, string> = {
    ...(keytab !== undefined && { client_keytab: keytab }),
    ...(cache !== undefined && { ccache: cache }),
  }
  const who = principal === undefined ? 'with the ticket cache' : `as ${principal}`
  const source = keytab === undefined ? '' : ` with the keytab ${keytab}`
  const doing = `cannot log in ${who}${source}`
  try {
    return { ...acquire(gss, { principal, usage: INITIATE, store, doing }), cache }
  } catch (error) {
    if (cache !== undefined) destroyTicketCache(cache)
    if (keytab !== undefined) checkKeytab(gss, keytab, principal, doing)
    throw error
  }
}

/** Throws where the keytab cannot be read or has no key of the principal: a failed login says only that there are no tickets. */
function checkKeytab(gss: GssLibrary, keytab: string, principal: string | undefined, doing: string): void {
  checkKeytabFile(keytab, doing)
  const { credential } = acquire(gss, { principal, usage: ACCEPT, store: { keytab }, doing })
  gss.functions.gss_release_cred(gss.minor, pointerTo(credential))
}

function serve(gss: GssLibrary, { principal, keytab }: ServiceOrder): Credential {
  const name = principal === undefined ? 'a service' : `the service ${principal}`
  const doing = `cannot take logins for ${name} with the keytab ${keytab}`
  checkKeytabFile(keytab, doing)
  return { ...acquire(gss, { principal, usage: ACCEPT, store: { keytab }, doing }), cache: undefined }
}

interface Acquisition {
  readonly principal: string | undefined
  readonly usage: number
  readonly store: Readonly<Record<string, string>>
  readonly doing: string
}

function acquire(
  gss: GssLibrary,
  { principal, usage, store, doing }: Acquisition,
): Omit<Credential, 'cache'> {
  const { functions, memory, minor } = gss
  const name = principal === undefined ? NO_NAME : importName(gss, principal, doing)
  const credential = pointerTo()
  try {
    const place = memory.store(store)
    gss.check(
      functions.gss_acquire_cred_from(
        minor,
        name,
        INDEFINITE,
        null,
        usage,
        Object.keys(store).length === 0 ? null : place,
        credential,
        null,
        null,
      ),
      doing,
    )
  } finally {
    releaseName(gss, name)
  }
  try {
    return { credential: readPointer(credential), ...inquire(gss, readPointer(credential), usage, doing) }
  } catch (error) {
    functions.gss_release_cred(minor, credential)
    throw error
  }
}

/** A client's tickets come at the latest when it is asked how long they last. */
function inquire(
  gss: GssLibrary,
  credential: bigint,
  usage: number,
  doing: string,
): Pick<Credential, 'principal' | 'seconds'> {
  const name = pointerTo()
  const seconds = Buffer.alloc(4)
  gss.check(gss.functions.gss_inquire_cred(gss.minor, credential, name, seconds, null, null), doing)
  const principal = readPointer(name) === NO_NAME ? '' : displayName(gss, readPointer(name))
  releaseName(gss, readPointer(name))
  return { principal, seconds: usage === ACCEPT ? 0 : readUint32(seconds) }
}

function initiate(gss: GssLibrary, order: InitiateOrder): Step {
  const { functions, memory, minor } = gss
  const isFirst = order.token.length === 0 && order.context === 0n
  const doing = isFirst ? `no ticket for ${order.target}` : `an answer that is not from ${order.target}`
  const context = pointerTo(order.context)
  const [token, out] = [memory.buffer(Buffer.from(order.token)), emptyBuffer()]
  const mechanism = order.isSpnego ? gss.spnego : gss.kerberos
  const target = importName(gss, order.target, doing)
  try {
    const major = functions.gss_init_sec_context(
      minor,
      order.credential,
      context,
      target,
      mechanism,
      FLAGS,
      0,
      null,
      order.token.length === 0 ? null : token,
      null,
      out,
      null,
      null,
    )
    return step(gss, major, { context, out, principal: () => '', doing })
  } finally {
    releaseName(gss, target)
  }
}

function accept(gss: GssLibrary, order: AcceptOrder): Step {
  const { functions, memory, minor } = gss
  const context = pointerTo(order.context)
  const [token, out, name] = [memory.buffer(Buffer.from(order.token)), emptyBuffer(), pointerTo()]
  const [delegated, mechanism] = [pointerTo(), pointerTo()]
  const major = functions.gss_accept_sec_context(
    minor,
    context,
    order.credential,
    token,
    null,
    name,
    mechanism,
    out,
    null,
    null,
    delegated,
  )
  const principal = (): string => displayName(gss, readPointer(name))
  try {
    return step(gss, major, { context, out, principal, doing: 'the ticket is refused' })
  } finally {
    releaseName(gss, readPointer(name))
    if (readPointer(delegated) !== 0n) functions.gss_release_cred(minor, delegated)
  }
}

interface StepMemory {
  readonly context: Buffer
  readonly out: Buffer
  readonly principal: () => string
  readonly doing: string
}

function step(gss: GssLibrary, major: number, { context, out, principal, doing }: StepMemory): Step {
  try {
    gss.check(major, doing)
    const isDone = (major & CONTINUE_NEEDED) === 0
    const reached = isDone ? principal() : ''
    return { context: readPointer(context), token: gss.take(out), isDone, principal: reached }
  } catch (error) {
    gss.take(out)
    deleteContext(gss, readPointer(context))
    throw error
  }
}

function importName(gss: GssLibrary, principal: string, doing: string): bigint {
  const name = pointerTo()
  const text = gss.memory.buffer(Buffer.from(principal))
  gss.check(gss.functions.gss_import_name(gss.minor, text, gss.principalName, name), doing)
  return readPointer(name)
}

function displayName(gss: GssLibrary, name: bigint): string {
  const text = emptyBuffer()
  gss.check(gss.functions.gss_display_name(gss.minor, name, text, null), 'a name cannot be read')
  return gss.take(text).toString('utf8')
}

function releaseName(gss: GssLibrary, name: bigint): void {
  if (name !== NO_NAME) gss.functions.gss_release_name(gss.minor, pointerTo(name))
}
