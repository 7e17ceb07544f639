// The rules of the soak's projects: each kind of action with a promise, few enough for a second reading (expected.ts).

export const offLabel = 'bellhop::off'
/** Labels that only Bellhop puts on, except for `red` when a merge request is opened with it. */
export const ownLabels = ['documentation', 'red'] as const
export const pong = 'Pong.'
export const failedNote = 'The pipeline failed.'
export const spentSeconds = 60

export const soakRules = `version: 1
rules:
  - name: documentation
    if: { changed_files: { all: "docs/**" } }
    then: { label: { add: documentation }, estimate: 15m, subscribe: true }
  - name: red while it fails
    if: { pipeline: failed }
    then: { label: { while: red }, comment: { while: "${failedNote}" } }
  - name: approve what is ready
    if: { labels: { any: [ready], none: [hold] }, draft: false, target_branch: master }
    then: { approve: true }
  - name: merge updates that only the bot pushed
    if:
      author: renovate
      pushed_by: { all: [renovate] }
      labels: { any: [dependencies], none: [hold] }
      pipeline: success
      draft: false
      target_branch: master
    then: { approve: true, accept: { remove_source_branch: true } }
  - name: merge what asks for it
    if:
      labels: { any: [automerge], none: [hold] }
      pipeline: success
      draft: false
      target_branch: master
    then: { accept: true }
  - name: log a minute
    on: note.create
    command: log
    then: { spend: 1m }
  - name: merge on request
    on: note.create
    command: merge
    then: { accept: true }
  - name: merge later on request
    on: note.create
    command: ship
    then: { accept: { when: pipeline_succeeds } }
  - name: answer a ping
    on: note.create
    command: ping
    then: { comment: "${pong}" }
`
