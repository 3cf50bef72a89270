/** Changes and lists of namespaces. */

import { checkNamespaceName } from '../../../model/table-name.ts'
import { namespaceFromMessage, namespaceMessage } from '../../../wire/rpc/descriptor-messages.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService

export function namespaces({ store, procedures }: MasterContext): (readonly [string, RpcHandler])[] {
  const { catalog } = store
  return [
    generated(method.createNamespace, (message, { call }) => {
      const namespace = namespaceFromMessage(message.namespaceDescriptor!)
      checkNamespaceName(namespace.name)
      return procedures.run(message, call, (own) => catalog.createNamespace(namespace, own))
    }),
    generated(method.modifyNamespace, (message, { call }) => {
      const namespace = namespaceFromMessage(message.namespaceDescriptor!)
      checkNamespaceName(namespace.name)
      return procedures.run(message, call, (own) => catalog.modifyNamespace(namespace, own))
    }),
    generated(method.deleteNamespace, (message, { call }) =>
      procedures.run(message, call, (own) => catalog.deleteNamespace(message.namespaceName, own)),
    ),
    generated(method.getNamespaceDescriptor, async ({ namespaceName }, { call }) => ({
      namespaceDescriptor: namespaceMessage(await catalog.namespace(namespaceName, call)),
    })),
    generated(method.listNamespaceDescriptors, async (_, { call }) => ({
      namespaceDescriptor: (await catalog.listNamespaces(call)).map(namespaceMessage),
    })),
    generated(method.listNamespaces, async (_, { call }) => ({
      namespaceName: (await catalog.listNamespaces(call, 'names')).map(({ name }) => name),
    })),
  ]
}
