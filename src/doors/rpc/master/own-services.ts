/** Services of Tidegate's own, which clients call as coprocessors of the master. */

import type { Call } from '../../../store/call.ts'
import type { Upkeep } from '../../../store/upkeep.ts'
import { BACKUP_SERVICE } from '../../../wire/rpc/backup-service.ts'
import { CHANGES_SERVICE } from '../../../wire/rpc/changes-service.ts'
import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import { runBackups } from './backups.ts'
import { runChanges } from './changes.ts'
import { type ServiceAnswer, unknownService } from './service-answer.ts'

/** Runs a call of a service of the master's. Throws DO_NOT_RETRY for a service or a method that it does not have. */
export async function runMasterService(
  { backups, changes }: Pick<Upkeep, 'backups' | 'changes'>,
  request: CoprocessorServiceCall,
  call: Call,
): Promise<ServiceAnswer> {
  const { serviceName } = request
  if (serviceName === BACKUP_SERVICE && backups !== undefined) return runBackups(backups, request, call)
  if (serviceName === CHANGES_SERVICE && changes !== undefined) return runChanges(changes, request, call)
  throw unknownService(serviceName)
}
