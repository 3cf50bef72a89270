/** The name by which clients call BackupService, a coprocessor of the master. */
export const BACKUP_SERVICE = 'tidegate.pb.BackupService'
