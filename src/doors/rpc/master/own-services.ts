/** Services of Tidegate's own, which clients call as coprocessors of the master. */

import type { Call } from '../../../store/call.ts'
import type { Upkeep } from '../../../store/upkeep.ts'
import { BACKUP_SERVICE } from '../../../wire/rpc/backup-service.ts'
import { CHANGES_SERVICE } from '../../../wire/rpc/changes-service.ts'
import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import { STANDBY_SERVICE } from '../../../wire/rpc/standby-service.ts'
import { runBackups } from './backups.ts'
import { runChanges } from './changes.ts'
import { type ServiceAnswer, unknownService } from './service-answer.ts'
import { runStandby } from './standby.ts'

/** Runs a call of a service of the master's. Throws DO_NOT_RETRY for a service or a method that it does not have. */
export async function runMasterService(
  { backups, changes, standby }: Pick<Upkeep, 'backups' | 'changes' | 'standby'>,
  request: CoprocessorServiceCall,
  call: Call,
): Promise<ServiceAnswer> {
  const { serviceName } = request
  if (serviceName === BACKUP_SERVICE && backups !== undefined) return runBackups(backups, request, call)
  if (serviceName === CHANGES_SERVICE && changes !== undefined) return runChanges(changes, request, call)
  if (serviceName === STANDBY_SERVICE && standby !== undefined) return runStandby(standby, request, call)
  throw unknownService(serviceName)
}
