/** The name by which clients call ChangesService, a coprocessor of the master. */
export const CHANGES_SERVICE = 'tidegate.pb.ChangesService'
