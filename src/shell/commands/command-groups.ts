/** All commands by HBase's groups, in the order of its help. */

import type { CommandGroup, ShellCommand } from '../context/command.ts'
import { ALTER_COMMANDS } from './alter-commands.ts'
import { ABSENT_COMMANDS, GENERAL_COMMANDS, SESSION_COMMANDS } from './general-commands.ts'
import { helpCommands } from './help-commands.ts'
import { LABEL_COMMANDS } from './label-commands.ts'
import { LIST_COMMANDS } from './list-commands.ts'
import { LIST_REGIONS } from './list-regions.ts'
import { LIST_REPLICATED_TABLES } from './list-replicated-tables.ts'
import { LOG_COMMANDS } from './log-commands.ts'
import { NAMESPACE_COMMANDS } from './namespace-commands.ts'
import { GROUP_COMMANDS, PROCEDURE_COMMANDS } from './procedure-commands.ts'
import { QUOTA_COMMANDS } from './quota-commands.ts'
import { READ_COMMANDS } from './read-commands.ts'
import { REGION_COMMANDS } from './region-commands.ts'
import { REPLICATION_COMMANDS } from './replication-commands.ts'
import { SECURITY_COMMANDS } from './security-commands.ts'
import { SERVER_COMMANDS } from './server-commands.ts'
import { SNAPSHOT_COMMANDS } from './snapshot-commands.ts'
import { STATUS_COMMANDS } from './status-commands.ts'
import { SWITCH_COMMANDS } from './switch-commands.ts'
import { TABLE_COMMANDS } from './table-commands.ts'
import { WRITE_COMMANDS } from './write-commands.ts'

const ALL: ReadonlyMap<string, ShellCommand> = new Map(
  [
    ...GENERAL_COMMANDS,
    ...STATUS_COMMANDS,
    ...TABLE_COMMANDS,
    ...ALTER_COMMANDS,
    ...LIST_COMMANDS,
    LIST_REGIONS,
    LIST_REPLICATED_TABLES,
    ...NAMESPACE_COMMANDS,
    ...READ_COMMANDS,
    ...WRITE_COMMANDS,
    ...REGION_COMMANDS,
    ...SWITCH_COMMANDS,
    ...SERVER_COMMANDS,
    ...LOG_COMMANDS,
    ...REPLICATION_COMMANDS,
    ...SNAPSHOT_COMMANDS,
    ...QUOTA_COMMANDS,
    ...SECURITY_COMMANDS,
    ...LABEL_COMMANDS,
    ...PROCEDURE_COMMANDS,
    ...GROUP_COMMANDS,
    ...ABSENT_COMMANDS,
  ].map((command) => [command.name, command]),
)

function group(name: string, title: string, names: string, comment?: string): CommandGroup {
  const commands = names.split(/\s+/).map((each) => ALL.get(each)!)
  return { name, title, commands, ...(comment !== undefined && { comment }) }
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  group('general', 'about the cluster and the user', 'processlist status version whoami'),
  group(
    'ddl',
    'tables',
    'alter alter_async alter_status clone_table_schema create describe disable disable_all drop drop_all enable enable_all exists get_table is_disabled is_enabled list list_regions locate_region show_filters',
  ),
  group(
    'namespace',
    'namespaces',
    'alter_namespace create_namespace describe_namespace drop_namespace list_namespace list_namespace_tables',
  ),
  group(
    'dml',
    'data',
    'append count delete deleteall get get_counter get_splits incr put scan truncate truncate_preserve',
  ),
  group(
    'tools',
    'regions, servers and chores',
    'assign balance_switch balancer balancer_enabled catalogjanitor_enabled catalogjanitor_run catalogjanitor_switch cleaner_chore_enabled cleaner_chore_run cleaner_chore_switch clear_block_cache clear_compaction_queues clear_deadservers clear_slowlog_responses close_region compact compact_rs compaction_state compaction_switch decommission_regionservers flush get_balancer_decisions get_balancer_rejections get_largelog_responses get_slowlog_responses hbck_chore_run is_in_maintenance_mode list_deadservers list_decommissioned_regionservers list_liveservers major_compact merge_region move normalize normalizer_enabled normalizer_switch recommission_regionserver regioninfo rit snapshot_cleanup_enabled snapshot_cleanup_switch split splitormerge_enabled splitormerge_switch stop_master stop_regionserver trace unassign wal_roll zk_dump',
    'These commands are for people who know what they do: used wrongly they damage a cluster.',
  ),
  group(
    'replication',
    'copies of tables on other clusters',
    'add_peer append_peer_exclude_namespaces append_peer_exclude_tableCFs append_peer_namespaces append_peer_tableCFs disable_peer disable_table_replication enable_peer enable_table_replication get_peer_config list_peer_configs list_peers list_replicated_tables peer_modification_enabled peer_modification_switch remove_peer remove_peer_exclude_namespaces remove_peer_exclude_tableCFs remove_peer_namespaces remove_peer_tableCFs set_peer_bandwidth set_peer_exclude_namespaces set_peer_exclude_tableCFs set_peer_namespaces set_peer_replicate_all set_peer_serial set_peer_tableCFs show_peer_tableCFs update_peer_config',
  ),
  group(
    'snapshots',
    'snapshots of tables',
    'clone_snapshot delete_all_snapshot delete_snapshot delete_table_snapshots list_snapshots list_table_snapshots restore_snapshot snapshot',
  ),
  group('configuration', 'configuration of running servers', 'update_all_config update_config'),
  group(
    'quotas',
    'limits of requests and of space',
    'disable_exceed_throttle_quota disable_rpc_throttle enable_exceed_throttle_quota enable_rpc_throttle list_quota_snapshots list_quota_table_sizes list_quotas list_snapshot_sizes set_quota',
  ),
  group(
    'security',
    'permissions of users',
    'grant list_security_capabilities revoke user_permission',
    'These commands need the AccessController on the servers.',
  ),
  group('procedures', 'work of the master', 'list_locks list_procedures'),
  group(
    'visibility labels',
    'labels of cells',
    'add_labels clear_auths get_auths list_labels set_auths set_visibility',
    'These commands need the VisibilityController on the servers.',
  ),
  group(
    'rsgroup',
    'groups of region servers',
    'add_rsgroup alter_rsgroup_config balance_rsgroup get_namespace_rsgroup get_rsgroup get_server_rsgroup get_table_rsgroup list_rsgroups move_namespaces_rsgroup move_servers_namespaces_rsgroup move_servers_rsgroup move_servers_tables_rsgroup move_tables_rsgroup remove_rsgroup remove_servers_rsgroup rename_rsgroup show_rsgroup_config',
    'These commands need region server groups on the master.',
  ),
]

const ALIASES: Readonly<Record<string, string>> = { desc: 'describe', hlog_roll: 'wal_roll' }

/** All commands by their names and aliases, with the session's own commands. */
export const COMMANDS: ReadonlyMap<string, ShellCommand> = new Map([
  ...ALL,
  ...Object.entries(ALIASES).map(([alias, name]) => [alias, ALL.get(name)!] as const),
  ...[...SESSION_COMMANDS, ...helpCommands(() => COMMAND_GROUPS)].map(
    (command) => [command.name, command] as const,
  ),
])
