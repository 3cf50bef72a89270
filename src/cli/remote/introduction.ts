/** Helps a user who names a server by another protocol than it speaks: at the first answer, or at the first silence. */

import { addressText } from '../../../adapters/hbase/config/cluster-address.ts'
import type { Endpoint } from '../../../adapters/servers/requests/server-options.ts'
import { HBaseError, isHBaseError } from '../../model/errors.ts'
import type { Introduction } from '../../store/introduction.ts'
import type { CommandLogin } from './login-options.ts'
import { endpointsOf, type ServerAddress } from './server-address.ts'
import type { Spoken, SpokenProtocol } from './spoken-protocol.ts'

/** A server that is silent for so long may wait for more bytes of its own protocol. */
const SILENCE_MS = 1_500

/** A server that answers nothing is asked so often: a busy one may be late. */
const ASKED_MAX = 2

interface Named {
  readonly name: string
  /** Stands before and behind HOST:PORT in an address; undefined: no address names it. */
  readonly form?: readonly [string, string]
}

const NAMED: Readonly<Record<SpokenProtocol, Named>> = {
  zookeeper: { name: "ZooKeeper's protocol", form: ['zookeeper:', ''] },
  rpc: { name: "HBase's native RPC", form: ['rpc:', ''] },
  thrift: { name: 'Thrift 2', form: ['thrift:', ''] },
  'thrift/framed': { name: 'Thrift 2 in frames', form: ['thrift:', '/framed'] },
  'thrift/http': { name: 'Thrift 2 over HTTP', form: ['thrift:', '/http'] },
  thrift1: { name: 'Thrift 1 alone' },
  rest: { name: "HBase's REST", form: ['rest:', ''] },
  http: { name: 'HTTP' },
}

/** `warn`: called once where the server over HTTP ignores the user's login. */
export function introduction(
  address: ServerAddress,
  { user, login }: CommandLogin,
  warn: (text: string) => void,
): Introduction {
  const isTls = login.tls !== undefined
  let isKnown = false
  let stranger: Promise<HBaseError | undefined> | undefined
  let asked = 0
  const ask = async (): Promise<HBaseError | undefined> => {
    if (stranger === undefined && asked++ < ASKED_MAX) stranger = strangerAt(address, isTls)
    const error = await stranger
    if (error === undefined) stranger = undefined
    return error
  }
  return async (exchange) => {
    if (isKnown) return exchange()
    if (user !== undefined && !isTls) {
      const error = await ask()
      if (error !== undefined) throw error
    }
    const doubt = doubtAfter(SILENCE_MS, ask)
    try {
      const answer = await Promise.race([exchange(), doubt.rejected])
      const isFirst = !isKnown
      isKnown = true
      if (isFirst && user !== undefined) await warnOfOpenServer(address, isTls, user, warn)
      return answer
    } catch (error) {
      if (isOfServer(error)) {
        isKnown = true
        throw error
      }
      throw (await ask()) ?? error
    } finally {
      doubt.stop()
    }
  }
}

/** A server without logins ignores names and passwords, and does not say so. */
async function warnOfOpenServer(
  address: ServerAddress,
  isTls: boolean,
  user: string,
  warn: (text: string) => void,
): Promise<void> {
  const isHttp = address.kind === 'rest' || (address.kind === 'thrift' && address.transport === 'http')
  if (!isHttp) return
  const { answersWithoutLogin } = await import('./spoken-protocol.ts')
  if (await answersWithoutLogin(address.endpoint, isTls))
    warn(
      `${addressText(address.endpoint)} answers without a login, too: --user ${user} may have no effect there`,
    )
}

/** True for an error that the server has sent in its protocol. */
function isOfServer(error: unknown): boolean {
  return isHBaseError(error) && (error.code === 'ACCESS_DENIED' || error.detail?.['javaClass'] !== undefined)
}

function doubtAfter(
  milliseconds: number,
  ask: () => Promise<HBaseError | undefined>,
): { readonly rejected: Promise<never>; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  const rejected = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      void ask().then((error) => error !== undefined && reject(error))
    }, milliseconds)
  })
  return { rejected, stop: () => clearTimeout(timer) }
}

/** Undefined where a server may speak the protocol, or answers nothing. */
async function strangerAt(address: ServerAddress, isTls: boolean): Promise<HBaseError | undefined> {
  const { spokenBy } = await import('./spoken-protocol.ts')
  const asked = endpointsOf(address).map(async (endpoint) => {
    const spoken = await spokenBy(endpoint, askedProtocols(address)[0])
    return spoken && strangerText(endpoint, spoken, address, isTls)
  })
  const texts = (await Promise.all(asked)).filter((text) => text !== undefined)
  return texts.length < asked.length ? undefined : new HBaseError('REFUSED', texts.join('; '))
}

/** Undefined where the server may be the one that is asked. Exported for tests. */
export function strangerText(
  endpoint: Endpoint,
  { protocol, isTls: speaksTls }: Spoken,
  address: ServerAddress,
  isTls: boolean,
): string | undefined {
  const place = addressText(endpoint)
  const asked = askedProtocols(address)
  const tls = speaksTls === isTls ? '' : speaksTls ? ' over TLS' : ' without TLS'
  if (protocol === undefined) {
    if (tls === '') return undefined
    return speaksTls ? `${place} speaks TLS: ${WITH_TLS}` : undefined
  }
  // A login may hide which interface answers over HTTP.
  const isAsked =
    asked.includes(protocol) || (protocol === 'http' && (asked[0] === 'rest' || asked[0] === 'thrift/http'))
  const flags = tls === '' ? '' : speaksTls ? WITH_TLS : WITHOUT_TLS
  const { name, form } = NAMED[protocol]
  if (isAsked) return flags === '' ? undefined : `${place} speaks ${name}${tls}: ${flags}`
  const words = `${place} speaks ${name}${tls}, not ${NAMED[asked[0]].name}`
  if (form === undefined) return `${words}: ${elsewhere(protocol)}`
  return `${words}: write ${form[0]}${place}${form[1]}${flags === '' ? '' : `, and ${flags}`}`
}

const WITH_TLS = 'add --tls, or --tls-ca FILE for a certificate of an authority of your own'
const WITHOUT_TLS = 'leave --tls and --tls-ca away'

function elsewhere(protocol: SpokenProtocol): string {
  return protocol === 'http'
    ? 'is it the port of a web page, or of REST, rest:HOST:PORT?'
    : 'it takes a server of Thrift 2, or another protocol (rpc:, zookeeper:, rest:)'
}

/** The protocols that an address may mean. */
function askedProtocols(address: ServerAddress): readonly [SpokenProtocol, ...SpokenProtocol[]] {
  if (address.kind === 'rest') return ['rest']
  if (address.kind === 'thrift')
    return [address.transport === 'buffered' ? 'thrift' : `thrift/${address.transport}`]
  const { registry } = address.cluster
  if (registry === 'either') return ['zookeeper', 'rpc']
  return [registry === 'zookeeper' ? 'zookeeper' : 'rpc']
}
