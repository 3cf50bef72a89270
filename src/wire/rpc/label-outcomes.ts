/** Answers of VisibilityLabelsService about each label: an empty result, or an exception with its stack trace. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { HBaseError } from '../../model/errors.ts'
import type { RegionActionResult, RegionActionResultSchema } from './gen/client_pb.ts'

export function labelOutcome({ exception }: RegionActionResult): HBaseError | undefined {
  if (exception === undefined) return undefined
  const javaClass = exception.name ?? 'java.io.IOException'
  const [text = ''] = Buffer.from(exception.value ?? [])
    .toString()
    .split('\n')
  const message = text.startsWith(`${javaClass}: `) ? text.slice(javaClass.length + 2) : text
  const isDenied = javaClass.endsWith('.AccessDeniedException')
  return new HBaseError(isDenied ? 'ACCESS_DENIED' : 'DO_NOT_RETRY', message, { javaClass })
}

export function labelOutcomeMessage(
  outcome: HBaseError | undefined,
): MessageInitShape<typeof RegionActionResultSchema> {
  if (outcome === undefined) return {}
  const { javaClass, message } = outcome
  return { exception: { name: javaClass, value: Buffer.from(`${javaClass}: ${message}\n`) } }
}
