import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Call } from '../../store/call.ts'
import { MasterService } from '../../wire/rpc/gen/master_pb.ts'
import {
  type ReplicationPeer,
  type ReplicationPeerDescription,
  type ReplicationPeerSchema,
  ReplicationState_State,
} from '../../wire/rpc/gen/replication_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { booleanOf, hashOf, int64Of, listOf } from '../arguments/argument-values.ts'
import { serversOf } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import type { ServerCalls } from '../context/server-calls.ts'
import { refuse } from '../output/shell-error.ts'
import { opaque } from '../ruby/shell-objects.ts'
import { bytesOf, isTrue, RubyHash, stringName, textOf, type Value } from '../ruby/values.ts'
import { joinedTables, remainingTables, tablesOf, tablesText } from './peer-tables.ts'
import { TABLE_REPLICATION_COMMANDS } from './table-replication.ts'

type PeerShape = MessageInitShape<typeof ReplicationPeerSchema>
/** A message with its type would be taken as it is, with the plain objects that changes put into it. */
type PeerFields = Omit<ReplicationPeer, '$typeName'>
type PeerChange = (peer: PeerFields, value: Value, peerId: string) => PeerShape

export const REPLICATION_COMMANDS: readonly ShellCommand[] = [
  { name: 'add_peer', min: 1, max: 3, run: addPeer },
  ...onPeer('remove_peer', (servers, peer, request, call) =>
    servers.changeByMaster(peer, REMOVE, request, call),
  ),
  ...onPeer('enable_peer', (servers, peer, request, call) =>
    servers.changeByMaster(peer, ENABLE, request, call),
  ),
  ...onPeer('disable_peer', (servers, peer, request, call) =>
    servers.changeByMaster(peer, DISABLE, request, call),
  ),
  { name: 'list_peers', min: 0, max: 0, run: listPeers },
  { name: 'list_peer_configs', min: 0, max: 0, run: listPeerConfigs },
  { name: 'get_peer_config', min: 1, max: 1, run: getPeerConfig },
  { name: 'show_peer_tableCFs', min: 1, max: 1, run: showPeerTables },
  { name: 'update_peer_config', min: 1, max: 2, run: updatePeerConfig },
  ...changing('set_peer_replicate_all', (peer, on) => ({ ...peer, replicateAll: booleanOf(on) })),
  ...changing('set_peer_serial', (peer, on) => ({ ...peer, serial: booleanOf(on) })),
  ...changing('set_peer_bandwidth', (peer, value) => ({ ...peer, bandwidth: int64Of(value, 'bandwidth') })),
  ...ofNamespaces('namespaces', 'namespaces'),
  ...ofNamespaces('exclude_namespaces', 'excludeNamespaces'),
  ...ofTables('tableCFs', 'tableCfs'),
  ...ofTables('exclude_tableCFs', 'excludeTableCfs'),
  ...TABLE_REPLICATION_COMMANDS,
]

const { method } = MasterService
const ADD = rpcMethod(method.addReplicationPeer)
const REMOVE = rpcMethod(method.removeReplicationPeer)
const ENABLE = rpcMethod(method.enableReplicationPeer)
const DISABLE = rpcMethod(method.disableReplicationPeer)
const LIST = rpcMethod(method.listReplicationPeers)
const GET_CONFIG = rpcMethod(method.getReplicationPeerConfig)
const UPDATE = rpcMethod(method.updateReplicationPeerConfig)

type OnPeer = (
  servers: ServerCalls,
  operation: string,
  request: () => { readonly peerId: string },
  call: Call,
) => Promise<void>

function onPeer(name: string, change: OnPeer): ShellCommand[] {
  const run = (context: CommandContext, [id]: readonly Value[]): Promise<void> => {
    const peerId = textOf(id!)
    return change(serversOf(context), `peer ${peerId}`, () => ({ peerId }), context.call)
  }
  return [{ name, min: 1, max: 1, run }]
}

function changing(name: string, change: PeerChange): ShellCommand[] {
  const run = (context: CommandContext, [id, value = null]: readonly Value[]): Promise<void> =>
    changePeer(context, textOf(id!), (peer) => change(peer, value, textOf(id!)))
  return [{ name, min: 1, max: 2, run }]
}

function bytesIn(value: Value): Buffer[] {
  return listOf(value).map(bytesOf)
}

function isNamed(names: readonly Buffer[], each: Uint8Array): boolean {
  return names.some((name) => name.equals(each))
}

function ofNamespaces(words: string, field: 'namespaces' | 'excludeNamespaces'): ShellCommand[] {
  return [
    ...changing(`set_peer_${words}`, (peer, value) => ({ ...peer, [field]: bytesIn(value) })),
    ...changing(`append_peer_${words}`, (peer, value) => {
      const names = bytesIn(value)
      return { ...peer, [field]: [...peer[field].filter((each) => !isNamed(names, each)), ...names] }
    }),
    ...changing(`remove_peer_${words}`, (peer, value) => {
      const names = bytesIn(value)
      return { ...peer, [field]: peer[field].filter((each) => !isNamed(names, each)) }
    }),
  ]
}

function ofTables(words: string, field: 'tableCfs' | 'excludeTableCfs'): ShellCommand[] {
  const inMessages = field === 'tableCfs' ? 'table-cfs' : 'exclude-table-cfs'
  return [
    ...changing(`set_peer_${words}`, (peer, value) => ({ ...peer, [field]: tablesOf(value) })),
    ...changing(`append_peer_${words}`, (peer, value) => {
      return { ...peer, [field]: joinedTables(peer[field], tablesOf(value)) }
    }),
    ...changing(`remove_peer_${words}`, (peer, value, peerId) => {
      return { ...peer, [field]: remainingTables(peer[field], tablesOf(value), inMessages, peerId) }
    }),
  ]
}

async function configOf(context: CommandContext, peerId: string): Promise<ReplicationPeer> {
  const answer = await serversOf(context).askMaster('peer', GET_CONFIG, { peerId }, context.call)
  return answer.peerConfig!
}

async function changePeer(
  context: CommandContext,
  peerId: string,
  change: (peer: PeerFields) => PeerShape,
): Promise<void> {
  const { $typeName: _, ...fields } = await configOf(context, peerId)
  const peerConfig = change(fields)
  const request = (): { peerId: string; peerConfig: PeerShape } => ({ peerId, peerConfig })
  await serversOf(context).changeByMaster(`peer ${peerId}`, UPDATE, request, context.call)
}

async function addPeer(context: CommandContext, [id, given, tables]: readonly Value[]): Promise<void> {
  if (tables !== undefined && tables !== null)
    refuse('peer_tableCFs should be specified as TABLE_CFS in args')
  const options = hashOf(given, "args must be a Hash: CLUSTER_KEY => 'HOSTS:PORT:/ZNODE'")
  const [clusterkey, endpoint] = [options.get('CLUSTER_KEY'), options.get('ENDPOINT_CLASSNAME')].map(
    stringName,
  )
  if (clusterkey === undefined && endpoint === undefined)
    refuse('Either ENDPOINT_CLASSNAME or CLUSTER_KEY must be specified.')
  const [namespaces, tableCfs] = [options.get('NAMESPACES'), options.get('TABLE_CFS')]
  const isDisabled = stringName(options.get('STATE')) === 'DISABLED'
  const peerConfig: PeerShape = {
    ...(clusterkey !== undefined && { clusterkey }),
    ...(endpoint !== undefined && { replicationEndpointImpl: endpoint }),
    ...(options.has('SERIAL') && { serial: booleanOf(options.get('SERIAL')) }),
    ...pairsOf(options),
    replicateAll: namespaces === undefined && tableCfs === undefined,
    ...(isTrue(namespaces) && { namespaces: listOf(namespaces!).map(bytesOf) }),
    ...(isTrue(tableCfs) && { tableCfs: tablesOf(tableCfs!) }),
  }
  const state = isDisabled ? ReplicationState_State.DISABLED : ReplicationState_State.ENABLED
  const peerId = textOf(id!)
  const request = (): { peerId: string; peerConfig: PeerShape; peerState: { state: typeof state } } => ({
    peerId,
    peerConfig,
    peerState: { state },
  })
  await serversOf(context).changeByMaster(`peer ${peerId}`, ADD, request, context.call)
}

/** The options CONFIG and DATA as fields of a message. */
function pairsOf(options: RubyHash): Pick<PeerShape, 'configuration' | 'data'> {
  const [config, data] = [options.get('CONFIG'), options.get('DATA')]
  return {
    ...(config instanceof RubyHash && {
      configuration: config.entries().map(([name, value]) => ({ name: textOf(name), value: textOf(value) })),
    }),
    ...(data instanceof RubyHash && {
      data: data.entries().map(([first, second]) => ({ first: bytesOf(first), second: bytesOf(second) })),
    }),
  }
}

async function updatePeerConfig(context: CommandContext, [id, given]: readonly Value[]): Promise<void> {
  const { configuration = [], data = [] } = pairsOf(hashOf(given))
  await changePeer(context, textOf(id!), (peer): PeerShape => {
    const kept = peer.configuration.filter(({ name }) => !configuration.some((each) => each.name === name))
    return { ...peer, configuration: [...kept, ...configuration], data: [...peer.data, ...data] }
  })
}

async function peersOf(context: CommandContext): Promise<ReplicationPeerDescription[]> {
  return (await serversOf(context).askMaster('list of peers', LIST, {}, context.call)).peerDesc
}

const HEADINGS =
  'PEER_ID CLUSTER_KEY ENDPOINT_CLASSNAME STATE REPLICATE_ALL NAMESPACES TABLE_CFS BANDWIDTH SERIAL'.split(
    ' ',
  )

async function listPeers(context: CommandContext): Promise<Value> {
  const { out } = context
  out.header(HEADINGS)
  const peers = await peersOf(context)
  for (const { id, state, config } of peers) {
    const { clusterkey, replicationEndpointImpl, replicateAll, bandwidth, serial } = config!
    const [mark, names, tables] = replicateAll
      ? ['!', config!.excludeNamespaces, config!.excludeTableCfs]
      : ['', config!.namespaces, config!.tableCfs]
    const isEnabled = state?.state === ReplicationState_State.ENABLED
    out.row([
      id,
      clusterkey,
      replicationEndpointImpl,
      isEnabled ? 'ENABLED' : 'DISABLED',
      String(replicateAll),
      names.length === 0
        ? ''
        : mark +
          names
            .map((name) => Buffer.from(name).toString())
            .sort()
            .join(';'),
      tables.length === 0 ? '' : mark + tablesText(tables),
      String(bandwidth),
      String(serial),
    ])
  }
  out.footer()
  return opaque('Peers')
}

async function listPeerConfigs(context: CommandContext): Promise<Value> {
  const peers = await peersOf(context)
  for (const { id, config } of peers) {
    context.out.row(['PeerId', id])
    printConfig(context, config!)
    context.out.row([' '])
  }
  return RubyHash.fromEntries(peers.map(({ id }) => [Buffer.from(id), opaque('ReplicationPeerConfig')]))
}

function printConfig({ out }: CommandContext, peer: ReplicationPeer): void {
  if (peer.clusterkey !== '') out.row(['Cluster Key', peer.clusterkey])
  if (peer.replicationEndpointImpl !== '') out.row(['Replication Endpoint', peer.replicationEndpointImpl])
  for (const { name, value } of peer.configuration) out.row([name, value])
}

async function getPeerConfig(context: CommandContext, [id]: readonly Value[]): Promise<Value> {
  printConfig(context, await configOf(context, textOf(id!)))
  return opaque('ReplicationPeerConfig')
}

async function showPeerTables(context: CommandContext, [id]: readonly Value[]): Promise<Value> {
  const text = tablesText((await configOf(context, textOf(id!))).tableCfs)
  context.out.line(text)
  return text === '' ? null : Buffer.from(text)
}
