/** VisibilityLabelsService: visibility labels, and the users who have them. HBase's VisibilityClient calls the region of hbase:labels. HBase: VisibilityController. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { LabelOutcome, VisibilityLabels } from '../../../store/visibility-labels.ts'
import {
  GetAuthsRequestSchema,
  GetAuthsResponseSchema,
  ListLabelsRequestSchema,
  ListLabelsResponseSchema,
  SetAuthsRequestSchema,
  VisibilityLabelsRequestSchema,
  VisibilityLabelsResponseSchema,
} from '../../../wire/rpc/gen/visibility-labels_pb.ts'
import { labelOutcomeMessage } from '../../../wire/rpc/label-outcomes.ts'
import { readClientMessage } from '../messages/read-message.ts'
import type { Endpoint, EndpointRequest } from './endpoint.ts'

const ANSWER_PACKAGE = 'org.apache.hadoop.hbase.protobuf.generated.VisibilityLabelsProtos$'
const ANSWERS: Readonly<Record<string, string>> = {
  getAuths: 'GetAuthsResponse',
  listLabels: 'ListLabelsResponse',
}

export function visibilityLabelsEndpoint(labels: VisibilityLabels): Endpoint {
  return {
    answerClassOf: (method) => ANSWER_PACKAGE + (ANSWERS[method] ?? 'VisibilityLabelsResponse'),
    methods: new Map([
      ['addLabels', (request) => addLabels(labels, request)],
      ['setAuths', (request) => changeAuths(labels, 'setAuths', request)],
      ['clearAuths', (request) => changeAuths(labels, 'clearAuths', request)],
      ['getAuths', (request) => getAuths(labels, request)],
      ['listLabels', (request) => listLabels(labels, request)],
    ]),
  }
}

async function addLabels(labels: VisibilityLabels, { message, call }: EndpointRequest): Promise<Uint8Array> {
  const { visLabel } = readClientMessage(VisibilityLabelsRequestSchema, message)
  return outcomes(
    await labels.addLabels(
      visLabel.map(({ label }) => Buffer.from(label)),
      call,
    ),
  )
}

async function changeAuths(
  labels: VisibilityLabels,
  change: 'setAuths' | 'clearAuths',
  { message, call }: EndpointRequest,
): Promise<Uint8Array> {
  const { user, auth } = readClientMessage(SetAuthsRequestSchema, message)
  const named = auth.map((label) => Buffer.from(label))
  return outcomes(await labels[change](Buffer.from(user), named, call))
}

async function getAuths(labels: VisibilityLabels, { message, call }: EndpointRequest): Promise<Uint8Array> {
  const { user } = readClientMessage(GetAuthsRequestSchema, message)
  return bytesOf(GetAuthsResponseSchema, { user, auth: await labels.auths(Buffer.from(user), call) })
}

async function listLabels(labels: VisibilityLabels, { message, call }: EndpointRequest): Promise<Uint8Array> {
  const request = readClientMessage(ListLabelsRequestSchema, message)
  const pattern = request.regex === '' ? undefined : request.regex
  return bytesOf(ListLabelsResponseSchema, { label: await labels.listLabels(pattern, call) })
}

function outcomes(result: readonly LabelOutcome[]): Uint8Array {
  return bytesOf(VisibilityLabelsResponseSchema, { result: result.map(labelOutcomeMessage) })
}

function bytesOf<Schema extends DescMessage>(schema: Schema, message: MessageInitShape<Schema>): Uint8Array {
  return toBinary(schema, create(schema, message))
}
