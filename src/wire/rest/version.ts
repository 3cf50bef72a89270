/** Versions of the server, in the fields of HBase's REST server. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { RestDocument } from './document.ts'
import { xmlElement } from './xml-writer.ts'

export interface VersionInfo {
  /** Version of the REST interface. */
  readonly rest: string
  /** The run-time as HBase names its JVM: vendor, version, and after a dash the version of the machine. */
  readonly jvm: string
  /** Name, version and architecture, in the JVM's words: `Linux 6.1.0 amd64`. */
  readonly os: string
  readonly server: string
  /** The release of Jersey. HBase: VersionModel finds none, and sends the empty text. */
  readonly jersey: string
  readonly version: string
  /** The commit of `version`. */
  readonly revision: string
}

export function versionDocument(info: VersionInfo): RestDocument {
  const { rest, jvm, os, server, jersey, version, revision } = info
  return {
    text: () =>
      `rest ${rest} [JVM: ${jvm}] [OS: ${os}] [Server: ${server}] [Jersey: ${jersey}] ` +
      `[Version: ${version}] [Revision: ${revision}]\n`,
    xml: () =>
      xmlElement('Version', [
        ['JVM', jvm],
        ['Jersey', jersey],
        ['OS', os],
        ['REST', rest],
        ['Revision', revision],
        ['Server', server],
        ['Version', version],
      ]),
    json: () => ({
      Server: server,
      Jersey: jersey,
      Version: version,
      Revision: revision,
      JVM: jvm,
      REST: rest,
      OS: os,
    }),
    protobuf: () => strings([rest, jvm, os, server, jersey, version, revision]),
  }
}

/** The strings as fields 1, 2, ... */
function strings(values: readonly string[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const [index, value] of values.entries()) writer.tag(index + 1, WireType.LengthDelimited).string(value)
  return writer.finish()
}

/** QUIRK rest-accept-version-cluster-application-x-protobuf: there is no protobuf form. */
export function clusterVersionDocument(version: string): Omit<RestDocument, 'protobuf'> {
  return {
    text: () => version,
    xml: () => xmlElement('ClusterVersion', [['Version', version]]),
    json: () => ({ Version: version }),
  }
}
