/** The tags of a contact. */
export const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? (
    <span class="soft">–</span>
  ) : (
    <span class="tags">
      {tags.map((tag) => (
        <bdi key={tag}>{tag}</bdi>
      ))}
    </span>
  );
