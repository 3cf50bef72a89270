/** The labels of the cluster's own VisibilityController. Like HBase's VisibilityClient, it calls the region of hbase:labels. */

import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { EMPTY } from '../../../src/model/bytes.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { LabelOutcome, VisibilityLabels } from '../../../src/store/visibility-labels.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import {
  MasterService,
  SecurityCapabilitiesResponse_Capability,
} from '../../../src/wire/rpc/gen/master_pb.ts'
import { VisibilityLabelsService } from '../../../src/wire/rpc/gen/visibility-labels_pb.ts'
import { labelOutcome } from '../../../src/wire/rpc/label-outcomes.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { fullNameSpecifier } from '../messages/region-specifier.ts'

const LABELS_TABLE = 'hbase:labels' as TableName
const EXEC_SERVICE = rpcMethod(ClientService.method.execService)
const CAPABILITIES = rpcMethod(MasterService.method.getSecurityCapabilities)
const { method } = VisibilityLabelsService

export class ClusterLabels implements VisibilityLabels {
  readonly #cluster: Cluster
  readonly #master: Master

  constructor(cluster: Cluster, master: Master) {
    this.#cluster = cluster
    this.#master = master
  }

  async areEnforced(call: Call): Promise<boolean> {
    const { capabilities } = await this.#master.ask('security capabilities', CAPABILITIES, {}, call)
    return capabilities.includes(SecurityCapabilitiesResponse_Capability.CELL_VISIBILITY)
  }

  async addLabels(labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]> {
    const { result } = await this.#ask(
      method.addLabels,
      { visLabel: labels.map((label) => ({ label })) },
      call,
    )
    return result.map(labelOutcome)
  }

  async setAuths(user: Buffer, labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]> {
    const { result } = await this.#ask(method.setAuths, { user, auth: [...labels] }, call)
    return result.map(labelOutcome)
  }

  async clearAuths(user: Buffer, labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]> {
    const { result } = await this.#ask(method.clearAuths, { user, auth: [...labels] }, call)
    return result.map(labelOutcome)
  }

  async auths(user: Buffer, call: Call): Promise<Buffer[]> {
    const { auth } = await this.#ask(method.getAuths, { user }, call)
    return auth.map((label) => Buffer.from(label))
  }

  async listLabels(pattern: string | undefined, call: Call): Promise<Buffer[]> {
    const { label } = await this.#ask(
      method.listLabels,
      pattern === undefined ? {} : { regex: pattern },
      call,
    )
    return label.map((each) => Buffer.from(each))
  }

  #ask<Input extends DescMessage, Output extends DescMessage>(
    asked: DescMethodUnary<Input, Output>,
    message: MessageInitShape<Input>,
    call: Call,
  ): Promise<MessageShape<Output>> {
    const request = toBinary(asked.input, create(asked.input, message))
    const serviceCall = { row: EMPTY, serviceName: asked.parent.name, methodName: asked.name, request }
    const operation = `${asked.name} of visibility labels`
    const place = { operation, rowOperation: 'Get', target: LABELS_TABLE, row: EMPTY, call } as const
    return this.#cluster.onRegion(place, async (connection, { name }, attempt) => {
      const asking = { region: fullNameSpecifier(name), call: serviceCall }
      const { value } = (await connection.call(EXEC_SERVICE, asking, attempt)).message
      return fromBinary(asked.output, value?.value ?? EMPTY)
    })
  }
}
