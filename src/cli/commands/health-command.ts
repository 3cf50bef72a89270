/** `tidegate health`: asks a running server for its health. The probe of containers, which have no curl. */

import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import { type ClientIdentity, identityRefusal } from '../../model/client-identity.ts'
import { type IdentityFlags, identityOptions, readIdentity } from '../remote/identity-options.ts'
import {
  addKerberosOptions,
  type CommandKerberos,
  type KerberosFlags,
  readKerberos,
  ticketFor,
} from '../remote/kerberos-flags.ts'

const WEB_PORT = 16_010
const TIMEOUT_MS = 5000
const EXIT_SOUND = 0
const EXIT_UNSOUND = 1
/** Addresses that a server binds to be reached by any, and where it is reached from its own machine. */
const REACHED_AT: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

type Environment = Readonly<Record<string, string | undefined>>

/** How the probe shows its user. */
interface ProbeLogin {
  readonly identity: ClientIdentity | undefined
  readonly kerberos: CommandKerberos | undefined
}

export function addHealthCommand(program: Command): void {
  const [certificate, key] = identityOptions()
  addKerberosOptions(program.command('health'))
    .description('ask a running server for its health, as the probe of a container does')
    .argument(
      '[url]',
      "the page to ask, or the server, http://HOST:PORT, for its /health (default: /health of the web door that this environment's TIDEGATE_ variables describe)",
      parsedUrl,
    )
    .addOption(certificate.env('TIDEGATE_HEALTH_CERTIFICATE'))
    .addOption(key.env('TIDEGATE_HEALTH_KEY'))
    .addHelpText('after', '\nExit codes: 0 where the server serves, 1 where it does not or does not answer.')
    .exitOverride()
    .action(async (url: URL | undefined, flags: IdentityFlags & KerberosFlags) => {
      const stated = readIdentity(flags)
      const identity = url === undefined ? (stated ?? readIdentity(ownIdentity(process.env))) : stated
      const kerberos = await readKerberos(flags)
      try {
        const page = url === undefined ? ownHealthUrl(process.env) : healthPage(url)
        process.exitCode = await printHealth(page, { identity, kerberos })
      } finally {
        kerberos?.login.close()
      }
    })
}

/** Where a server with the same environment answers. */
export function ownHealthUrl(environment: Environment): URL {
  const { TIDEGATE_HOST: host = '127.0.0.1', TIDEGATE_WEB: port = String(WEB_PORT) } = environment
  const { TIDEGATE_TLS_CERTIFICATE: certificate = '', TIDEGATE_TLS_PLAIN_TOO: plainToo = '' } = environment
  const isPlain = certificate === '' || listed(plainToo).includes('web')
  const scheme = isPlain ? 'http' : 'https'
  const reached = REACHED_AT[host] ?? host
  return new URL(`${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${port}/health`)
}

/** The server's own certificate, where every client must show one: it may be of the same authority. */
export function ownIdentity(environment: Environment): IdentityFlags {
  const { TIDEGATE_TLS_CLIENT_CA: authority = '', TIDEGATE_TLS_CLIENT_CERTIFICATES: which } = environment
  if (authority === '' || which === 'optional') return {}
  const { TIDEGATE_TLS_CERTIFICATE: certificates = '', TIDEGATE_TLS_KEY: keys = '' } = environment
  const [[tlsCertificate = ''], [tlsKey = '']] = [listed(certificates), listed(keys)]
  return tlsCertificate === '' || tlsKey === '' ? {} : { tlsCertificate, tlsKey }
}

function listed(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

/** An address without a page means /health: the server's first page does not depend on its health. */
function healthPage(url: URL): URL {
  return url.pathname === '/' ? new URL('/health', url) : url
}

function parsedUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new InvalidArgumentError(`"${value}" is no URL such as http://127.0.0.1:${WEB_PORT}/health`)
}

async function printHealth(url: URL, login: ProbeLogin): Promise<number> {
  const { identity, kerberos } = login
  try {
    const ticket = kerberos && (await newTicket(url, kerberos))
    const { status, body } = await fetched(url, identity, ticket)
    process.stdout.write(`${body.trimEnd()}\n`)
    return status === 200 ? EXIT_SOUND : EXIT_UNSOUND
  } catch (error) {
    const reason = identityRefusal(error as Error, identity) ?? (error as Error).message
    process.stderr.write(`tidegate: ${url.href} does not answer: ${reason}\n`)
    return EXIT_UNSOUND
  }
}

/** The header of a login by Kerberos. */
async function newTicket(url: URL, kerberos: CommandKerberos): Promise<string> {
  const isEncrypted = url.protocol === 'https:'
  const endpoint = { host: url.hostname, port: Number(url.port) }
  const { login, target } = await ticketFor(kerberos, endpoint, { isHttp: true, isEncrypted })
  return `Negotiate ${(await login.negotiate(target)).toString('base64')}`
}

function fetched(
  url: URL,
  identity: ClientIdentity | undefined,
  ticket: string | undefined,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = ticket === undefined ? {} : { Authorization: ticket }
    const options = { signal: AbortSignal.timeout(TIMEOUT_MS), agent: false, headers } as const
    // Without a ticket a probe sends no secret, and a certificate rarely names the address that a probe asks.
    const request =
      url.protocol === 'https:'
        ? getHttps(url, {
            ...options,
            rejectUnauthorized: ticket !== undefined,
            cert: identity?.certificate,
            key: identity?.key,
          })
        : getHttp(url, options)
    request.on('error', reject)
    request.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
    })
  })
}
