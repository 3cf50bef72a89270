import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { SwitchName } from '../../../store/upkeep.ts'
import type { ServerName as ServerNameMessage } from '../../../wire/rpc/gen/hbase_pb.ts'
import { Procedures } from './procedures.ts'

/** The memory of the one master, which all ports that answer as it share for as long as the process runs. */
export interface MasterState {
  readonly procedures: Procedures
  /** Switches that are off, where the store has none of its own. */
  readonly off: Set<SwitchName>
  /** By `HOST,PORT,START CODE`: listed until a client takes them back. HBase would give them no new regions. */
  readonly decommissioned: Map<string, ServerNameMessage>
}

export function masterState(siblings: Siblings | undefined): MasterState {
  const procedures = new Procedures(undefined, siblings?.scannerIds.first)
  return { procedures, off: new Set(), decommissioned: new Map() }
}
