import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { SwitchName } from '../../../store/upkeep.ts'
import type { ServerName as ServerNameMessage } from '../../../wire/rpc/gen/hbase_pb.ts'
import { Procedures } from './procedures.ts'

/** State of the master while the process runs. All ports that answer as the master share it. */
export interface MasterState {
  readonly procedures: Procedures
  /** Switches that are off. Unused where the store has its own switches. */
  readonly off: Set<SwitchName>
  /** Decommissioned servers by `HOST,PORT,START CODE`, until a client recommissions them. HBase gives them no new regions. */
  readonly decommissioned: Map<string, ServerNameMessage>
}

export function masterState(siblings: Siblings | undefined): MasterState {
  const procedures = new Procedures(undefined, siblings?.scannerIds.first)
  return { procedures, off: new Set(), decommissioned: new Map() }
}
