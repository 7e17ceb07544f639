// The rule file of the demo's project.
export const demoRules = `# yaml-language-server: $schema=./bellhop.schema.json
version: 1
queues:
  - { name: main, target: master, retries: 0 }
rules:
  - name: label documentation
    if: { changed_files: { all: "docs/**" } }
    then: { label: { add: documentation }, estimate: 15m, subscribe: true }

  - name: approve dependency updates
    if:
      author: [renovate-bot]
      pushed_by: { all: [renovate-bot] }
      labels: { none: [hold, "blocked::*"] }
      draft: false
    then: { approve: true, label: { add: dependencies } }

  - name: merge dependency updates when green
    if:
      author: [renovate-bot]
      pushed_by: { all: [renovate-bot] }
      labels: { any: [dependencies], none: [hold, "blocked::*"] }
      pipeline: success
      draft: false
    then:
      accept: { squash: true, remove_source_branch: true }

  - name: merge what is green
    if: { labels: { any: [ship] }, pipeline: success }
    then: { accept: true }

  - name: merge through the queue
    if: { labels: { any: [queue] }, pipeline: success }
    then: { accept: { queue: main } }
`
