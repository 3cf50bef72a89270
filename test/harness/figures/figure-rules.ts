import type { Figures } from './reported-figures.ts'

export interface ComparedFigures {
  readonly hbase: Figures
  readonly front: Figures
  readonly engine: Figures
}

/** A count that two clients' fetches move by a few. */
const NEAR = 0.01

const COUNTS_OF_REQUESTS =
  'HBase counts calls of a server, the engine reads and writes; the sum of the regions has those of hbase:meta, which the engine does not count'
const CALLS =
  'the calls that this server answers: clients ask for places in hbase:meta too, and HBase has calls of its REST server'
const CACHE = 'HBase counts reads of compactions and of bloom filters, too'
const BY_KIND = 'HBase 1 has it; HBase 2 has puts, deletes, appends and increments by themselves'
const PERIODS = 'times of native RPC: since the start; HBase: of the last seconds'

/** Why a figure may differ between the three, by its name or by the part behind the colon. */
export const REASONS: Readonly<Record<string, string>> = {
  masterInfoPort: 'the port of its own pages',
  infoServerPort: 'the port of its own pages',
  masterTasks: 'Tidegate reports no tasks',
  tasks: 'Tidegate reports no tasks',
  numberOfRequests: 'a rate: HBase counts calls in 5 s, the engine reads and writes in 10 s',
  totalNumberOfRequests: 'HBase counts calls, the engine reads and writes',
  'REST cluster: requests': COUNTS_OF_REQUESTS,
  'REST node: requests': COUNTS_OF_REQUESTS,
  usedHeapMB: 'memory of its own process',
  maxHeapMB: 'memory of its own process',
  heapSizeMB: 'memory of its own process',
  maxHeapSizeMB: 'memory of its own process',
  reportStartTime: "a time: of the server's report to its master, or of the answer",
  reportEndTime: "a time: of the server's report to its master, or of the answer",
  lastMajorCompactionTs: 'a time',
  startCode: 'a time',
  regionServerStartTime: 'a time',
  masterStartTime: 'a time',
  'tag.clusterId': 'the id of its own cluster',
  name: 'an address, or a time within a name',
  storefileIndexSizeKB: 'memory of the root of the index, whose objects differ',
  rootIndexSizeKB: 'memory of the root of the index, whose objects differ',
  completeSequenceId: 'the engine takes a sequence id for each batch, HBase for other events too',
  blocksLocalWeight:
    'HBase asks HDFS, which is not there for files of a local disk; the engine has the bytes of its files',
  blocksTotalWeight:
    'HBase asks HDFS, which is not there for files of a local disk; the engine has the bytes of its files',
  balancerOn: 'a switch of the master',
  hlogFileCount: 'HBase has a log of its own for hbase:meta',
  hlogFileSize: 'HBase leaves out the file that is being written',
  blockCacheSize: 'memory of the blocks, whose objects differ',
  blockCacheHitCount: CACHE,
  blockCacheMissCount: CACHE,
  totalRequestCount: 'HBase counts calls, Tidegate reads and writes, as totalRowActionRequestCount',
  rpcGetRequestCount: CALLS,
  rpcScanRequestCount: CALLS,
  rpcMultiRequestCount: CALLS,
  rpcMutateRequestCount: CALLS,
  Get_num_ops: 'calls by native RPC; HBase counts the gets of a batch, too',
  ScanTime_num_ops: 'calls by native RPC; HBase leaves out those that only close a scanner',
  Mutate_num_ops: BY_KIND,
  'Metrics of the written table: memStoreSize':
    'memory of the memstores; HBase adds the bytes of the cells to it',
  'Metrics of the compacted table: memStoreSize': 'memory of the memstores; an empty one of HBase has some',
}

/** Why Tidegate in front of HBase may report another figure, where the engine may not. */
const REASONS_IN_FRONT: Readonly<Record<string, string>> = {
  'RegionServer,sub=Server: storeFileSize':
    'in front of HBase: the whole megabytes of each region, which its servers report',
}

export function reasonOf(name: string): string | undefined {
  const attribute = name.slice(name.lastIndexOf(': ') + 2)
  const known = REASONS[name] ?? REASONS[attribute] ?? REASONS_IN_FRONT[name]
  if (known !== undefined || !isOfBean(name)) return known
  if (attribute.startsWith('Mutate_')) return BY_KIND
  return /_(mean|median|max|[\d.]+th_percentile)$/.test(attribute) ? PERIODS : undefined
}

/** Of a bean or a metric, of which Tidegate has a part. */
function isOfBean(name: string): boolean {
  return name.includes('sub=') || name.startsWith('REST: ') || name.startsWith('Metrics ')
}

/** The figures that differ without a reason. */
export function faultsOf({ hbase, front, engine }: ComparedFigures): string[] {
  return [...new Set([...hbase.keys(), ...front.keys(), ...engine.keys()])].flatMap((name) => {
    const isFrontCompared = REASONS_IN_FRONT[name] === undefined
    if (isFrontCompared && reasonOf(name) !== undefined) return []
    const value = hbase.get(name)
    const others = [...(isFrontCompared ? [front.get(name)] : []), engine.get(name)]
    const compared = isOfBean(name) ? others.filter((other) => other !== undefined) : others
    return compared.every((other) => agrees(value, other))
      ? []
      : [`${name}: ${value} of HBase, ${front.get(name)} in front of it, ${engine.get(name)} of the engine`]
  })
}

function agrees(value: string | undefined, other: string | undefined): boolean {
  if (value === other) return true
  const [a, b] = [Number(value), Number(other)]
  return Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b))
}
