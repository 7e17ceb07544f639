// The field for what-if overrides.

export function OverridesField({ value, subject }: { value: string; subject?: string }) {
  return (
    <>
      <label for="overrides">What if (optional, one fact a line)</label>
      <textarea
        id="overrides"
        name="overrides"
        rows={2}
        spellcheck={false}
        placeholder={`${subject === 'issue' ? 'state=closed' : 'pipeline=success'}\nlabels+=ready`}
        value={value}
      />
    </>
  )
}
