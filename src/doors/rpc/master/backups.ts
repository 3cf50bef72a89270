/** Tidegate's service of backups, which clients call as a coprocessor of the master. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { HBaseError } from '../../../model/errors.ts'
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

/** The Java class of the answers, which no Java program has. */
const ANSWER_CLASSES = 'tidegate.pb.'

export interface ServiceAnswer {
  readonly name: string
  readonly value: Uint8Array<ArrayBuffer>
}

/** Runs a call of a service of the master's. Throws DO_NOT_RETRY for a service or a method that it does not have. */
export async function runMasterService(
  backups: Backups | undefined,
  { serviceName, methodName, request }: CoprocessorServiceCall,
  call: Call,
): Promise<ServiceAnswer> {
  if (serviceName !== BACKUP_SERVICE || backups === undefined)
    throw unknownProtocol(
      `No registered Master Coprocessor Endpoint found for ${serviceName}. Has it been enabled?`,
    )
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
    case 'End':
      await backups.endBackup(readClientMessage(EndBackupRequestSchema, request).id, call)
      return answer(EndBackupResponseSchema, {})
    default:
      throw unknownProtocol(`Unknown method ${methodName} called on master service ${serviceName}`)
  }
}

function answer<Schema extends DescMessage>(
  schema: Schema,
  message: MessageInitShape<Schema>,
): ServiceAnswer {
  return { name: `${ANSWER_CLASSES}${schema.name}`, value: toBinary(schema, create(schema, message)) }
}

function unknownProtocol(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, {
    javaClass: 'org.apache.hadoop.hbase.exceptions.UnknownProtocolException',
  })
}
