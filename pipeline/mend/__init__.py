"""What a person said about the structure of a document, replayed: found again by its words, never by its page.

shape     blocks as they were said to be, before they are classified
settle    the document as it was said to be, whatever classify made of those blocks
splitting entries as the texts that they are made of
"""
