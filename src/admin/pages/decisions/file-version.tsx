// The version of a rule file: its blob, and its commit if known.

export function FileVersion({ of: { blob, commit } }: { of: { blob: string | null; commit?: string } }) {
  return (
    <>
      {blob !== null && <Name word="blob" id={blob} />} {commit !== undefined && <Name word="commit" id={commit} />}
    </>
  )
}

function Name({ word, id }: { word: string; id: string }) {
  return (
    <span class="dim">
      {word} <code title={id}>{id.slice(0, 12)}</code>
    </span>
  )
}
