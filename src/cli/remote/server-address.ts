/** Servers as `tidegate shell`, `copy`, `export` and `import` name them: `zookeeper:`, `rpc:`, `rest:` or `thrift:` and HOST:PORT. */

import { InvalidArgumentError } from 'commander'
import type { ClusterAddress } from '../../../adapters/hbase/config/cluster-address.ts'
import type { Endpoint } from '../../../adapters/servers/requests/server-options.ts'
import type { ThriftTransport } from '../../../adapters/servers/thrift/thrift-server.ts'
import { parseClusterStore } from '../settings/cluster-options.ts'

export type ServerAddress =
  | { readonly kind: 'cluster'; readonly cluster: ClusterAddress }
  | { readonly kind: 'rest'; readonly endpoint: Endpoint }
  | { readonly kind: 'thrift'; readonly endpoint: Endpoint; readonly transport: ThriftTransport }

/** Where HBase's shell looks without a configuration. */
export const DEFAULT_ADDRESS = 'zookeeper:127.0.0.1:2181'

/** The forms of addresses, for messages and help. */
export const ADDRESS_FORMS =
  'rpc:HOST:PORT, zookeeper:HOST:PORT, rest:HOST:PORT or thrift:HOST:PORT[/framed|/http]'

/** The same, of commands that go by native RPC. */
const CLUSTER_FORMS = 'rpc:HOST:PORT or zookeeper:HOST:PORT'

const TRANSPORTS: ReadonlySet<string> = new Set<ThriftTransport>(['buffered', 'framed', 'http'])

/** Throws InvalidArgumentError. */
export function parseServerAddress(text: string): ServerAddress {
  const [, kind, rest = ''] = /^(zookeeper|rpc|hbase|rest|thrift):(.*)$/.exec(text) ?? []
  if (kind === undefined || rest === '') throw new InvalidArgumentError(`It must be ${ADDRESS_FORMS}.`)
  if (kind === 'rest') return { kind, endpoint: parseEndpoint(rest) }
  if (kind === 'thrift') return parseThrift(rest)
  const { cluster } = parseClusterStore(`hbase:${rest}`)
  if (kind === 'zookeeper') return { kind: 'cluster', cluster: { ...cluster, registry: 'zookeeper' } }
  return { kind: 'cluster', cluster: kind === 'rpc' ? { ...cluster, registry: 'bootstrap' } : cluster }
}

/** The addresses that go by native RPC. Throws InvalidArgumentError, which names only these. */
export function parseClusterAddress(text: string): ServerAddress {
  if (!/^(?:zookeeper|rpc|hbase):./.test(text)) throw new InvalidArgumentError(`It must be ${CLUSTER_FORMS}.`)
  return parseServerAddress(text)
}

function parseThrift(text: string): ServerAddress {
  const slash = text.indexOf('/')
  const endpoint = parseEndpoint(slash < 0 ? text : text.slice(0, slash))
  const transport = slash < 0 ? 'buffered' : text.slice(slash + 1)
  if (!TRANSPORTS.has(transport))
    throw new InvalidArgumentError(
      `"/${transport}" is no transport of Thrift: it must be /framed or /http, or nothing.`,
    )
  return { kind: 'thrift', endpoint, transport: transport as ThriftTransport }
}

/** The parser of clusters knows hosts and ports. */
function parseEndpoint(text: string): Endpoint {
  if (text.includes('/'))
    throw new InvalidArgumentError(`"${text}" is not HOST:PORT; for TLS there are --tls and --tls-ca.`)
  const { servers } = parseClusterStore(`hbase:${text}`).cluster
  if (servers.length !== 1) throw new InvalidArgumentError('It must be one HOST:PORT.')
  return servers[0]!
}

export function endpointsOf(address: ServerAddress): readonly Endpoint[] {
  return address.kind === 'cluster' ? address.cluster.servers : [address.endpoint]
}

/** The hosts of a server's addresses. */
export function hostsOf(address: ServerAddress): string[] {
  return endpointsOf(address).map(({ host }) => host)
}
