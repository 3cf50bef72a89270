/** Tidegate's service of backups, which clients call as a coprocessor of the master. */

import type { Backups } from '../../../store/backups.ts'
import type { Call } from '../../../store/call.ts'
import { BACKUP_SERVICE } from '../../../wire/rpc/backup-service.ts'
import {
  BeginBackupRequestSchema,
  BeginBackupResponseSchema,
  EndBackupRequestSchema,
  EndBackupResponseSchema,
  ReadBackupRequestSchema,
  ReadBackupResponseSchema,
} from '../../../wire/rpc/gen/backup_pb.ts'
import type { CoprocessorServiceCall } from '../../../wire/rpc/gen/client_pb.ts'
import { readClientMessage } from '../messages/read-message.ts'
import { serviceAnswer as answer, type ServiceAnswer, unknownMethod } from './service-answer.ts'

/** Throws DO_NOT_RETRY for an unknown method. */
export async function runBackups(
  backups: Backups,
  { methodName, request }: CoprocessorServiceCall,
  call: Call,
): Promise<ServiceAnswer> {
  switch (methodName) {
    case 'Begin':
      readClientMessage(BeginBackupRequestSchema, request)
      return answer(BeginBackupResponseSchema, { ...(await backups.beginBackup(call)) })
    case 'Read': {
      const { id, file, offset, length } = readClientMessage(ReadBackupRequestSchema, request)
      // An offset that is no safe integer is beyond the end of any file.
      const part = await backups.readBackup(id, file, Number(offset), length, call)
      return answer(ReadBackupResponseSchema, { part })
    }
    case 'End': {
      const { id, made } = readClientMessage(EndBackupRequestSchema, request)
      await backups.endBackup(id, made, call)
      return answer(EndBackupResponseSchema, {})
    }
    default:
      throw unknownMethod(BACKUP_SERVICE, methodName)
  }
}
