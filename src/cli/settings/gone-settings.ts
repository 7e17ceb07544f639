// Settings of earlier versions: what to do in their place.

const gone: Readonly<Record<string, string>> = {
  BELLHOP_SHARDS: 'one Redis takes the work of all projects; beyond that, divide the projects between installations',
  BELLHOP_MAX_BACKLOG_SIZE: 'deliveries that wait may always take 2 GB; BELLHOP_MAX_QUEUE_MEMORY limits them further',
  BELLHOP_MIN_FREE_DISK: 'deliveries are always refused below 256 MB of free disk',
  BELLHOP_REDIS_WAIT: 'a replica of Redis always gets half a second to confirm a delivery',
  BELLHOP_SERVICES: 'one process serves one hosting service, so run one for each',
  BELLHOP_SERVICE_NAME: 'a queue and its journal belong to one hosting service, which needs no name',
}

/** A line for each that is set. */
export function goneSettings(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment).flatMap((name) => {
    const instead = Object.hasOwn(gone, name) ? gone[name] : undefined
    return instead === undefined ? [] : [`${name} is gone: ${instead}; see CHANGELOG.md.`]
  })
}
