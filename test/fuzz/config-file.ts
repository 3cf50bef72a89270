import { UsageError } from '../../src/cli/failures/usage-error.ts'
import { parseConfigFile } from '../../src/cli/settings/config-file.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'

const SEEDS = [
  '<?xml version="1.0"?>\n<?xml-stylesheet type="text/xsl" href="configuration.xsl"?>\n<configuration>\n' +
    '  <property><name>hbase.rest.port</name><value>8080</value><final>true</final></property>\n</configuration>\n',
  '<configuration><!-- a remark --><property>\n<name>hbase.zookeeper.quorum</name>\n<value>a,b&amp;c&#233;</value>\n' +
    '<description><![CDATA[of <servers>]]></description></property><property/></configuration>',
]

export const configFile: FuzzTarget = {
  name: 'hbase-site',
  seeds: () => SEEDS.map((text) => Buffer.from(text)),
  run: (input) => parseConfigFile(input, 'hbase-site.xml'),
  isRefusal: (error) => error instanceof UsageError,
}
