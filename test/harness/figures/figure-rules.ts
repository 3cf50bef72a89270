import type { Figures } from './reported-figures.ts'

export interface ComparedFigures {
  readonly hbase: Figures
  readonly front: Figures
  readonly engine: Figures
}

/** A count that two clients' fetches move by a few. */
const NEAR = 0.01

/** Why a figure may differ between the three, by the part of its name behind the colon. */
export const REASONS: Readonly<Record<string, string>> = {
  masterInfoPort: 'the port of its own pages',
  infoServerPort: 'the port of its own pages',
  masterTasks: 'Tidegate reports no tasks',
  tasks: 'Tidegate reports no tasks',
  numberOfRequests: 'a rate: HBase counts calls in 5 s, the engine reads and writes in 10 s',
  totalNumberOfRequests: 'HBase counts calls, the engine reads and writes',
  requests:
    'HBase counts calls of a server, the engine reads and writes; the sum of the regions has those of hbase:meta, which the engine does not count',
  usedHeapMB: 'memory of its own process',
  maxHeapMB: 'memory of its own process',
  heapSizeMB: 'memory of its own process',
  maxHeapSizeMB: 'memory of its own process',
  reportStartTime: "a time: of the server's report to its master, or of the answer",
  reportEndTime: "a time: of the server's report to its master, or of the answer",
  lastMajorCompactionTs: 'a time',
  startCode: 'a time',
  name: 'an address, or a time within a name',
  storefileIndexSizeKB: 'memory of the root of the index, whose objects differ',
  rootIndexSizeKB: 'memory of the root of the index, whose objects differ',
  completeSequenceId: 'the engine takes a sequence id for each batch, HBase for other events too',
  blocksLocalWeight:
    'HBase asks HDFS, which is not there for files of a local disk; the engine has the bytes of its files',
  blocksTotalWeight:
    'HBase asks HDFS, which is not there for files of a local disk; the engine has the bytes of its files',
  balancerOn: 'a switch of the master',
}

export function reasonOf(name: string): string | undefined {
  return REASONS[name.slice(name.lastIndexOf(': ') + 2)]
}

/** The figures of the report that differ without a reason. */
export function faultsOf({ hbase, front, engine }: ComparedFigures): string[] {
  return [...hbase].flatMap(([name, value]) => {
    if (name.includes('sub=') || reasonOf(name) !== undefined) return []
    const others = [front.get(name), engine.get(name)]
    return others.every((other) => agrees(value, other))
      ? []
      : [`${name}: ${value} of HBase, ${others[0]} in front of it, ${others[1]} of the engine`]
  })
}

function agrees(value: string, other: string | undefined): boolean {
  if (value === other) return true
  const [a, b] = [Number(value), Number(other)]
  return Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b))
}
