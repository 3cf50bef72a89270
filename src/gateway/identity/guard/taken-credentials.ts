import type { GuardSettings } from './guard.ts'
import type { KerberosLogins, KerberosPlace } from './kerberos-logins.ts'

/** The names of the places where clients log in, for people. */
export const PLACE_NAMES: Readonly<Record<KerberosPlace, string>> = {
  rest: 'REST',
  'thrift-http': 'Thrift over HTTP',
  web: 'the web pages',
  timeline: 'the timeline service',
  thrift: 'sockets of Thrift',
  rpc: 'native RPC',
}

const PLACES = Object.keys(PLACE_NAMES) as KerberosPlace[]
const SPNEGO = 'SPNEGO: curl --negotiate -u :'

/** Advice for a client without a login: the ways to log in that this server accepts at the place. */
export function takenCredentials(
  { users, tokens, certificates }: Pick<GuardSettings, 'users' | 'tokens' | 'certificates'>,
  at: KerberosPlace,
  kerberos?: Pick<KerberosLogins, 'serviceAt'>,
): string {
  const takesTickets = (place: KerberosPlace): boolean => kerberos?.serviceAt(place) !== undefined
  const ticket = ticketAt(at, takesTickets)
  const ways = [
    users !== undefined && passwordAt(at),
    tokens !== undefined && tokenAt(at),
    ticket !== undefined && `a ticket of Kerberos${ticket}`,
    certificates && 'a certificate of the client with one common name (CN)',
  ].filter((text) => typeof text === 'string')
  if (ways.length > 0) return `show ${ways.join(', or ')}`
  const others = PLACES.filter(takesTickets).map((place) => PLACE_NAMES[place])
  const taken = [
    tokens && 'tokens over HTTP',
    others.length > 0 && `tickets of Kerberos at ${others.join(', ')}`,
  ].filter((text) => typeof text === 'string')
  return `this server takes no login at ${PLACE_NAMES[at]}: it takes ${taken.join(', and ')} alone`
}

function passwordAt(at: KerberosPlace): string {
  if (at === 'thrift') return 'a user and a password (SASL PLAIN, or Basic over HTTP)'
  return at === 'rpc' ? 'a user and a password (SASL PLAIN)' : 'a user and a password'
}

function tokenAt(at: KerberosPlace): string | undefined {
  if (at === 'rpc') return undefined
  return at === 'thrift' ? 'a token (Bearer over HTTP)' : 'a token'
}

/** The way to show a ticket, in brackets; undefined: none is taken. Clients of a Thrift socket can use HTTP, on the same port. */
function ticketAt(at: KerberosPlace, isTaken: (place: KerberosPlace) => boolean): string | undefined {
  if (at === 'rpc') return isTaken(at) ? '' : undefined
  if (at !== 'thrift') return isTaken(at) ? ` (${SPNEGO})` : undefined
  const ways = [isTaken(at) && 'SASL GSSAPI', isTaken('thrift-http') && 'SPNEGO over HTTP']
  const open = ways.filter((text) => typeof text === 'string')
  return open.length > 0 ? ` (${open.join(', or ')})` : undefined
}
